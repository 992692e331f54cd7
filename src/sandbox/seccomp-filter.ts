import { BotError } from '../domain/errors.ts';

/**
 * The system-call filter of the sandbox, as a classic BPF program (linux/filter.h, linux/seccomp.h). Namespaces do not cover what it
 * closes: virtual-machine sockets reach the hypervisor from a private network, keyrings outlive a container, io_uring and bpf are the
 * usual way into a kernel, and memory in an unmapped memfd or System V segment is invisible to a watchdog.
 */
type Architecture = 'x64' | 'arm64';

const AUDIT_ARCH: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const errno = (code: number) => 0x00050000 | code;
const EPERM = errno(1);
const ENOMEM = errno(12);
const ENOSYS = errno(38);
const EAFNOSUPPORT = errno(97);

/** Numbers of the calls refused whatever their arguments: `[x64, arm64]`, from the kernel's `unistd_64.h` and `asm-generic/unistd.h`. */
const REFUSED: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  acct: [163, 89],
  add_key: [248, 217],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_settime: [227, 112],
  delete_module: [176, 106],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  lookup_dcookie: [212, 18],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  nfsservctl: [180, 42],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_madvise: [440, 440],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  reboot: [169, 142],
  request_key: [249, 218],
  setns: [308, 268],
  settimeofday: [164, 170],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
  vhangup: [153, 58],
};

/** Answered with "not implemented", so that programs take their older way: libuv without io_uring, glibc without clone3. */
const MISSING: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  clone3: [435, 435],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
};

const CLONE = [56, 220] as const;
const IOCTL = [16, 29] as const;
const SHMGET = [29, 194] as const;
const SOCKET = [41, 198] as const;
const SOCKETPAIR = [53, 199] as const;

/** All CLONE_NEW* flags: a namespace of its own would give the sandboxed program capabilities again. */
const NEW_NAMESPACE_FLAGS = 0x7e020000;
/** Typing into, or pasting to, the terminal that started the bot. */
const TERMINAL_INJECTION = [0x5412, 0x541c] as const;
const AF = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const;
/** PostgreSQL takes a few dozen bytes; 4096 segments of this size stay harmless. */
const LARGEST_SHARED_SEGMENT = 65_536;
/** Set on x86-64 for the x32 ABI, whose calls have other numbers. */
const X32_BIT = 0x40000000;

interface Instruction {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER = 0x25;
const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

const load = (offset: number): Instruction => ({ code: LOAD_WORD, jt: 0, jf: 0, k: offset });
const answer = (action: number): Instruction => ({ code: RETURN, jt: 0, jf: 0, k: action });
const jump = (code: number, k: number, targets: { readonly jt: number; readonly jf: number }): Instruction => ({
  code,
  k,
  ...targets,
});
/** Answers when the loaded word passes the test; else goes on. */
const when = (code: number, k: number, action: number): readonly Instruction[] => [
  jump(code, k, { jt: 0, jf: 1 }),
  answer(action),
];
/** Runs `body`, which must answer, for the system call `number`; else goes on. */
const onCall = (number: number, body: readonly Instruction[]): readonly Instruction[] => [
  jump(JUMP_EQUAL, number, { jt: 0, jf: body.length }),
  ...body,
];

// struct seccomp_data: the number at 0, the architecture at 4, arguments as 64-bit words from 16 (little-endian on both machines).
const NUMBER = 0;
const ARCHITECTURE = 4;
const lowWord = (argument: number) => 16 + 8 * argument;
const highWord = (argument: number) => lowWord(argument) + 4;

/** The filter as bytes for `bwrap --seccomp FD`. Throws `sandbox-too-weak` on a machine whose numbers are not known. */
export function buildSeccompFilter(architecture: string = process.arch): Buffer {
  if (architecture !== 'x64' && architecture !== 'arm64') {
    throw new BotError(
      'sandbox-too-weak',
      `The sandbox has no system-call filter for ${architecture}; run the bot on x64 or arm64.`,
      { details: { architecture } },
    );
  }
  return encode(instructionsFor(architecture));
}

function instructionsFor(architecture: Architecture): readonly Instruction[] {
  const column = architecture === 'x64' ? 0 : 1;
  return [
    load(ARCHITECTURE),
    jump(JUMP_EQUAL, AUDIT_ARCH[architecture], { jt: 1, jf: 0 }),
    answer(KILL_PROCESS),
    load(NUMBER),
    ...(architecture === 'x64' ? when(JUMP_AT_LEAST, X32_BIT, ENOSYS) : []),
    ...Object.values(REFUSED).flatMap((numbers) => when(JUMP_EQUAL, numbers[column], EPERM)),
    ...Object.values(MISSING).flatMap((numbers) => when(JUMP_EQUAL, numbers[column], ENOSYS)),
    ...onCall(CLONE[column], [load(lowWord(0)), ...when(JUMP_ANY_BIT, NEW_NAMESPACE_FLAGS, EPERM), answer(ALLOW)]),
    ...onCall(IOCTL[column], [
      load(lowWord(1)),
      ...TERMINAL_INJECTION.flatMap((request) => when(JUMP_EQUAL, request, EPERM)),
      answer(ALLOW),
    ]),
    ...onCall(SHMGET[column], [
      load(highWord(1)),
      ...when(JUMP_GREATER, 0, ENOMEM),
      load(lowWord(1)),
      ...when(JUMP_GREATER, LARGEST_SHARED_SEGMENT, ENOMEM),
      answer(ALLOW),
    ]),
    ...onCall(SOCKET[column], allowedFamilies()),
    ...onCall(SOCKETPAIR[column], allowedFamilies()),
    answer(ALLOW),
  ];
}

/** Local, IPv4 and IPv6 sockets, and of netlink only the routing protocol (0), which lists network interfaces. */
function allowedFamilies(): readonly Instruction[] {
  return [
    load(lowWord(0)),
    ...[AF.unix, AF.inet, AF.inet6].flatMap((family) => when(JUMP_EQUAL, family, ALLOW)),
    jump(JUMP_EQUAL, AF.netlink, { jt: 1, jf: 0 }),
    answer(EAFNOSUPPORT),
    load(lowWord(2)),
    ...when(JUMP_EQUAL, 0, ALLOW),
    answer(EAFNOSUPPORT),
  ];
}

function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [index, { code, jt, jf, k }] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jt, index * 8 + 2);
    bytes.writeUInt8(jf, index * 8 + 3);
    // `>>> 0`: bit operations above gave signed numbers.
    bytes.writeUInt32LE(k >>> 0, index * 8 + 4);
  }
  return bytes;
}
