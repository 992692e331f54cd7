import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TrustedPath } from '../../src/domain/workspace.ts';
import { createBubblewrapSandbox } from '../../src/sandbox/bubblewrap-sandbox.ts';
import { readUntrustedFile } from '../../src/sandbox/read-untrusted-file.ts';
import {
  isRoot,
  MEGABYTE,
  openSandboxBench,
  processesWith,
  sandboxUser,
  testLimits,
  whyNoBubblewrap,
  type SandboxBench,
} from '../support/sandbox-drivers.ts';
import { pino } from 'pino';

const noBubblewrap = await whyNoBubblewrap();
const X64_ONLY = process.arch === 'x64';

/** A script that prints WON when the attack works. The control runs it without a sandbox and must win, where trying does no harm. */
interface Attack {
  readonly name: string;
  readonly script: string;
  /** `none`: it would do harm, need another machine, or work as root alone. */
  readonly control: 'wins' | 'none';
}

const perl = (code: string) => `perl -e '${code}'`;

const ATTACKS: readonly Attack[] = [
  { name: 'reads a file of the host by its path', script: 'cat "$SECRET" && echo WON', control: 'wins' },
  {
    name: 'reads a file of the host through a planted link',
    script: 'ln -sf "$SECRET" link; cat link && echo WON',
    control: 'wins',
  },
  { name: 'walks out of the tree', script: 'ls /work/.. | grep -q scratch && echo WON', control: 'wins' },
  {
    name: 'reads the shadow file or the home of root',
    script: 'ls /root >/dev/null && echo WON; cat /etc/shadow >/dev/null && echo WON',
    control: isRoot ? 'wins' : 'none',
  },
  {
    name: 'reads the environment that started the sandbox',
    script: 'grep -lzs "^VITEST" /proc/[0-9]*/environ | grep -q . && echo WON',
    control: 'wins',
  },
  { name: 'signals a process of the host', script: 'kill -0 "$BOT_PID" && echo WON', control: 'wins' },
  {
    name: 'sees processes of the host',
    script: 'grep -lz vites[t] /proc/[0-9]*/cmdline 2>/dev/null | grep -q . && echo WON',
    control: 'wins',
  },
  {
    name: 'reaches the root of another process',
    script: 'for one in /proc/[0-9]*; do [ -e "$one/root$SECRET" ] && echo WON; done',
    control: 'wins',
  },
  {
    name: 'leaves through a descriptor',
    script: 'for fd in /proc/[0-9]*/fd/*; do [ -d "$fd/." ] && [ -e "$fd/../$PROBE" ] && echo WON; done',
    control: 'none',
  },
  {
    name: 'connects to a port of the host',
    script: '(exec 3<>"/dev/tcp/127.0.0.1/$PORT") && echo WON',
    control: 'wins',
  },
  {
    name: 'reaches the metadata service',
    script: '(exec 3<>/dev/tcp/169.254.169.254/80) && echo WON',
    control: 'none',
  },
  { name: 'resolves a name', script: 'getent hosts example.com && echo WON', control: 'none' },
  {
    name: 'opens a virtual machine socket',
    script: `${perl('socket(my $s, 40, 1, 0) or exit 1')} && echo WON`,
    control: 'none',
  },
  {
    name: 'opens a packet socket',
    script: `${perl('socket(my $s, 17, 3, 0) or exit 1')} && echo WON`,
    control: isRoot ? 'wins' : 'none',
  },
  {
    name: 'opens a netlink socket to the audit system',
    script: `${perl('socket(my $s, 16, 3, 9) or exit 1')} && echo WON`,
    control: 'wins',
  },
  { name: 'makes a user namespace', script: 'unshare --user true && echo WON', control: 'wins' },
  { name: 'mounts something', script: 'mount -t tmpfs none /tmp && echo WON', control: 'none' },
  {
    name: 'writes a kernel setting',
    script: 'value=$(cat /proc/sys/vm/overcommit_memory); echo "$value" >/proc/sys/vm/overcommit_memory && echo WON',
    control: isRoot ? 'wins' : 'none',
  },
  {
    name: 'writes to the system',
    script: 'for dir in / /usr /usr/bin /etc /dev /opt /home /run /var; do : >"$dir/planted" && echo WON; done',
    control: 'none',
  },
  { name: 'makes a device', script: 'mknod device c 1 3 && echo WON', control: isRoot ? 'wins' : 'none' },
  {
    name: 'links a program of the system into the tree',
    script: 'ln /usr/bin/env linked && echo WON',
    control: 'none',
  },
  {
    name: 'has a capability',
    script: 'grep -qE "^Cap(Prm|Eff|Bnd|Amb):[[:space:]]*0*[1-9a-f]" /proc/self/status && echo WON',
    control: 'wins',
  },
  { name: 'can gain privileges', script: 'grep -q "^NoNewPrivs:.0" /proc/self/status && echo WON', control: 'wins' },
  {
    name: 'starts more processes than it may',
    script: perl(
      'my $n = 0; for (1 .. 100) { my $pid = fork; last if !defined $pid; if (!$pid) { sleep 20; exit } $n++ } print "WON" if $n == 100',
    ),
    control: 'wins',
  },
  { name: 'fills shared memory', script: 'head -c 100000000 /dev/zero >/dev/shm/bomb && echo WON', control: 'none' },
  {
    name: 'fills /tmp',
    script: 'ulimit -f unlimited; for n in 1 2 3; do head -c 30000000 /dev/zero >/tmp/bomb$n || exit; done; echo WON',
    control: 'wins',
  },
];

/** `syscall(number, …)` by perl; wins unless the kernel answers with one of the filter's errors. */
const CALLS: readonly { readonly name: string; readonly call: string; readonly control: 'wins' | 'none' }[] = [
  { name: 'keyctl', call: 'syscall(250, 0, -3, 0)', control: 'wins' },
  { name: 'io_uring_setup', call: 'syscall(425, 0, 0)', control: 'none' },
  { name: 'bpf', call: 'syscall(321, 0, 0, 0)', control: 'none' },
  { name: 'userfaultfd', call: 'syscall(323, 1)', control: 'none' },
  { name: 'ptrace', call: 'syscall(101, 0, 0, 0, 0)', control: 'wins' },
  { name: 'memfd_create', call: 'my $name = "bomb"; my $result = syscall(319, $name, 0)', control: 'wins' },
  { name: 'a large shared memory segment', call: 'syscall(29, 0, 1048576, 0600)', control: 'none' },
];

describe.skipIf(noBubblewrap !== null)('attacks on the bubblewrap sandbox', () => {
  let bench: SandboxBench;
  let control: SandboxBench;
  let environment: Record<string, string>;
  let secret: string;
  const listener = net.createServer((socket) => socket.destroy());

  beforeAll(async () => {
    bench = await openSandboxBench('bubblewrap');
    control = await openSandboxBench('unsandboxed');
    secret = path.join(bench.root, 'secret');
    writeFileSync(secret, 'the secret\n', { mode: 0o644 });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as net.AddressInfo;
    environment = {
      PATH: '/usr/bin:/bin',
      SECRET_BELOW_ROOT: secret.slice(1),
      PROBE: path.basename(bench.root),
      BOT_PID: String(process.pid),
      PORT: String(port),
      HOME: '/tmp',
    };
  });
  afterAll(async () => {
    listener.close();
    await bench.remove();
    await control.remove();
  });

  const limits = { ...testLimits, processes: 64 };
  const outcome = async (where: SandboxBench, script: string) => {
    // Put together inside, as the control would take a path below /tmp for an inside one.
    const result = await where.run(`SECRET="/$SECRET_BELOW_ROOT"; ${script}`, { env: environment, limits });
    expect(result.outcome.kind, result.stderr).not.toBe('setup-failed');
    return result.stdout.includes('WON') ? 'won' : 'held';
  };

  test.each(ATTACKS)('$name', async ({ script, control: expected }) => {
    expect(await outcome(bench, script)).toBe('held');
    if (expected === 'wins') expect(await outcome(control, script), 'the control').toBe('won');
  });

  test.runIf(X64_ONLY).each(CALLS)('calls $name', async ({ call, control: expected }) => {
    // 1 EPERM, 12 ENOMEM, 38 ENOSYS: what the filter answers.
    const script =
      `perl -e 'my $result = ${call}; exit 0 if $result == -1 and ($! == 1 or $! == 12 or $! == 38); print "WON\\n"'`.replace(
        'my $result = my',
        'my',
      );
    expect(await outcome(bench, script)).toBe('held');
    if (expected === 'wins') expect(await outcome(control, script), 'the control').toBe('won');
  });

  test('types into a terminal: the filter answers before the terminal could', async () => {
    const script = perl('my $key = "x"; ioctl(STDIN, 0x5412, $key); print(0 + $!)');
    expect((await bench.run(script)).stdout).toBe('1');
    // "Not a terminal": the call itself got through.
    expect((await control.run(script)).stdout).toBe('25');
  });

  test('the starter is invisible: no environment, no values in the command line', async () => {
    const result = await bench.run('wc -c </proc/1/environ; tr "\\0" " " </proc/1/cmdline', {
      env: { PATH: '/usr/bin:/bin', VALUE: 'not-in-the-command-line' },
    });
    expect(result.stdout.split('\n')[0]).toBe('0');
    expect(result.stdout).not.toContain('not-in-the-command-line');
  });

  test('a killed bot takes its sandboxes with it', async () => {
    const mark = randomUUID();
    const program = `
      import { openSandboxBench } from ${JSON.stringify(path.resolve('test/support/sandbox-drivers.ts'))};
      const bench = await openSandboxBench('bubblewrap');
      console.log(bench.root);
      await bench.run("setsid perl -e 'sleep 300' ${mark} & perl -e 'sleep 300' ${mark}");`;
    const bot = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [root] = (await once(bot.stdout, 'data')) as [Buffer];
    // Both of the command's own processes: bubblewrap, too, has the mark on its command line, and before it has set itself up the end of
    // its parent passes unseen.
    const running = () => processesWith(mark).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'perl\n');
    await vi.waitFor(() => expect(running()).toHaveLength(2), 20_000);
    bot.kill('SIGKILL');
    await vi.waitFor(() => expect(processesWith(mark)).toEqual([]), 10_000);
    rmSync(root.toString().trim(), { recursive: true, force: true });
  });

  test('mounts below a closed directory are reached without opening a way to it', async () => {
    const closed = path.join(bench.root, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    mkdirSync(path.join(closed, 'inner'), { mode: 0o755 });
    writeFileSync(path.join(closed, 'inner', 'file'), 'content', { mode: 0o644 });
    writeFileSync(path.join(closed, 'beside'), 'secret', { mode: 0o644 });
    const mounts = [
      { host: bench.tree, at: '/work', mode: 'rw' },
      { host: path.join(closed, 'inner') as TrustedPath, at: '/opt/inner', mode: 'ro' },
    ] as const;
    const script = `cat /opt/inner/file; cat /opt/inner/../beside; for fd in /proc/[0-9]*/fd/*; do cat "$fd/../beside" "$fd/../../secret"; done; ls /mnt`;
    const result = await bench.run(script, { mounts });
    expect(result.stdout).toBe('content');
    rmSync(closed, { recursive: true });
  });

  test('a mount source that became a link is refused', async () => {
    const link = path.join(bench.root, 'link') as TrustedPath;
    symlinkSync('/', link);
    await expect(
      bench.run('ls /opt/x', {
        mounts: [
          { host: bench.tree, at: '/work', mode: 'rw' },
          { host: link, at: '/opt/x', mode: 'ro' },
        ],
      }),
    ).rejects.toThrow();
    rmSync(link);
  });

  test('a mount point inside the tree is refused', async () => {
    const mounts = [
      { host: bench.tree, at: '/work', mode: 'rw' },
      { host: bench.tree, at: '/work/inner', mode: 'ro' },
    ] as const;
    await expect(bench.run('true', { mounts })).rejects.toMatchObject({ code: 'invariant-broken' });
  });

  test.runIf(isRoot)('is never started as root', async () => {
    const logger = pino({ level: 'silent' });
    for (const user of [null, { uid: 0, gid: 0 }]) {
      const sandbox = createBubblewrapSandbox({ scratchDir: bench.scratchDir, user, logger });
      expect(await sandbox.probe()).toMatchObject({
        level: 'none',
        missing: [expect.stringContaining('REFACTOR_BOT_SANDBOX_UID')],
      });
      await expect(
        sandbox.run(
          { argv: ['true'], cwd: '/', mounts: [], env: {}, network: { mode: 'none' }, limits },
          new AbortController().signal,
        ),
      ).rejects.toMatchObject({ code: 'sandbox-too-weak' });
    }
    const ids = await bench.run('stat -c %u /work/by-whom 2>/dev/null || { : >/work/by-whom; id -u; }');
    expect(ids.stdout.trim()).toBe('1000');
    expect(sandboxUser).not.toBeNull();
  });

  test('files are read from outside without following what was planted', async () => {
    await bench.run(
      `ln -s ${secret} README.md; ln -s ${bench.root} dir; mkfifo pipe; echo fine >fine; mkdir folder; head -c 5000 /dev/zero >large`,
    );
    // The control: this is what an ordinary read does.
    expect(await readFile(path.join(bench.tree, 'README.md'), 'utf8')).toBe('the secret\n');
    const read = (relative: string) => readUntrustedFile({ root: bench.tree, relative, maxBytes: 1000 });
    expect(await read('README.md')).toEqual({ problem: 'it is a symbolic link' });
    expect(await read('dir/secret')).toEqual({ problem: 'a link leads out of its directory' });
    expect(await read('../secret')).toEqual({ problem: 'the path leads out of its directory' });
    expect(await read(secret)).toEqual({ problem: 'the path leads out of its directory' });
    expect(await read('pipe')).toEqual({ problem: 'it is not a regular file' });
    expect(await read('folder')).toEqual({ problem: 'it is not a regular file' });
    expect(await read('large')).toEqual({ problem: 'it has 5000 bytes, more than the 1000 allowed' });
    expect(await read('missing')).toEqual({ problem: 'it does not exist' });
    expect(await read('fine')).toEqual({ bytes: Buffer.from('fine\n') });
    expect(existsSync(path.join(bench.root, 'secret'))).toBe(true);
  });

  test('memory hidden in deleted files of the tree is counted', async () => {
    const script = `perl -e 'for my $n (1 .. 60) { open(my $f, ">", "x$n"); unlink("x$n"); print $f "a" x 2e6; push @keep, $f; } $| = 1; sleep 60'`;
    const result = await bench.run(script, { limits: { ...testLimits, diskBytes: 20 * MEGABYTE } });
    expect(result.outcome.kind).toBe('out-of-disk');
  });
});
