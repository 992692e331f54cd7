import { describe, expect, test } from 'vitest';
import { buildSeccompFilter } from '../../../src/sandbox/seccomp-filter.ts';

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const fails = (errno: number) => 0x00050000 | errno;
const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** Runs the program as the kernel would over one call. */
function judge(filter: Buffer, call: { nr: number; arch: number; args?: readonly bigint[] }): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.nr, 0);
  data.writeUInt32LE(call.arch, 4);
  for (const [index, argument] of (call.args ?? []).entries()) data.writeBigUInt64LE(argument, 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at++) {
    const [code, jt, jf, k] = [
      filter.readUInt16LE(at * 8),
      filter[at * 8 + 2] ?? 0,
      filter[at * 8 + 3] ?? 0,
      filter.readUInt32LE(at * 8 + 4),
    ];
    const branch = (taken: boolean) => (at += taken ? jt : jf);
    if (code === 0x20) accumulator = data.readUInt32LE(k);
    else if (code === 0x06) return k;
    else if (code === 0x15) branch(accumulator === k);
    else if (code === 0x25) branch(accumulator > k);
    else if (code === 0x35) branch(accumulator >= k);
    else if (code === 0x45) branch((accumulator & k) !== 0);
    else throw new Error(`instruction ${code} is not one of the kernel's that we use`);
  }
  throw new Error('the program ran past its end');
}

describe.each(['x64', 'arm64'] as const)('seccomp filter for %s', (name) => {
  const filter = buildSeccompFilter(name);
  const arch = ARCHITECTURES[name];
  const call = (nr: readonly [number, number], ...args: readonly bigint[]) =>
    judge(filter, { nr: nr[name === 'x64' ? 0 : 1], arch, args });

  test('kills a call of another architecture', () => {
    expect(judge(filter, { nr: 0, arch: 0x40000003 })).toBe(KILL);
  });

  test.each([
    ['read', [0, 63]],
    ['execve', [59, 221]],
    ['mmap', [9, 222]],
    ['prlimit64', [302, 261]],
    ['statx', [332, 291]],
    ['rseq', [334, 293]],
  ] as const)('allows %s', (_name, nr) => {
    expect(call(nr)).toBe(ALLOW);
  });

  test.each([
    ['keyctl', [250, 219]],
    ['bpf', [321, 280]],
    ['mount', [165, 40]],
    ['unshare', [272, 97]],
    ['setns', [308, 268]],
    ['ptrace', [101, 117]],
    ['open_by_handle_at', [304, 265]],
    ['perf_event_open', [298, 241]],
    ['kexec_load', [246, 104]],
    ['move_mount', [429, 429]],
  ] as const)('refuses %s', (_name, nr) => {
    expect(call(nr)).toBe(fails(1));
  });

  test.each([
    ['io_uring_setup', [425, 425]],
    ['clone3', [435, 435]],
    ['memfd_create', [319, 279]],
  ] as const)('says that %s is not there', (_name, nr) => {
    expect(call(nr)).toBe(fails(38));
  });

  test('lets threads and processes be made, but no namespaces', () => {
    const clone = [56, 220] as const;
    expect(call(clone, 0x3d0f00n)).toBe(ALLOW);
    expect(call(clone, 17n)).toBe(ALLOW);
    for (const flag of [0x10000000n, 0x20000n, 0x20000000n, 0x40000000n, 0x8000000n])
      expect(call(clone, flag | 17n)).toBe(fails(1));
  });

  test('lets terminals be asked but not typed into, whatever the upper half of the request holds', () => {
    const ioctl = [16, 29] as const;
    expect(call(ioctl, 0n, 0x5413n)).toBe(ALLOW);
    expect(call(ioctl, 0n, 0x5412n)).toBe(fails(1));
    expect(call(ioctl, 0n, 0x1_0000_5412n)).toBe(fails(1));
    expect(call(ioctl, 0n, 0x541cn)).toBe(fails(1));
  });

  test.each([
    ['socket', [41, 198]],
    ['socketpair', [53, 199]],
  ] as const)('%s: local, internet and routing alone', (_name, nr) => {
    for (const family of [1n, 2n, 10n]) expect(call(nr, family, 1n, 0n)).toBe(ALLOW);
    expect(call(nr, 16n, 3n, 0n)).toBe(ALLOW);
    expect(call(nr, 16n, 3n, 9n)).toBe(fails(97));
    for (const family of [17n, 38n, 40n, 44n]) expect(call(nr, family, 1n, 0n)).toBe(fails(97));
  });

  test('lets small System V segments be made only', () => {
    const shmget = [29, 194] as const;
    expect(call(shmget, 0n, 56n)).toBe(ALLOW);
    expect(call(shmget, 0n, 65_537n)).toBe(fails(12));
    expect(call(shmget, 0n, 0x1_0000_0000n)).toBe(fails(12));
  });
});

test('x32 calls on x64 are not there', () => {
  expect(judge(buildSeccompFilter('x64'), { nr: 0x40000000 + 165, arch: ARCHITECTURES.x64 })).toBe(fails(38));
});

test('a machine whose numbers are not known is refused', () => {
  expect(() => buildSeccompFilter('riscv64')).toThrow(/riscv64/);
});
