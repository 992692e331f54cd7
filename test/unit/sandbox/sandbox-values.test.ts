import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bubblewrapArguments } from '../../../src/sandbox/bubblewrap-arguments.ts';
import { exitOutcome } from '../../../src/sandbox/exit-outcome.ts';
import { toHostPaths, toInsidePaths } from '../../../src/sandbox/inside-paths.ts';
import { keepOutput } from '../../../src/sandbox/kept-output.ts';
import { isPublicAddress } from '../../../src/sandbox/private-addresses.ts';
import { judgeCanaries } from '../../../src/sandbox/probe-bubblewrap.ts';

describe('isPublicAddress', () => {
  test.each(['1.1.1.1', '172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1', '2606:4700::1111'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:1.1.1.1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fe80::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'localhost',
    '',
    '127.1',
    '0x7f000001',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('keepOutput', () => {
  test('keeps everything that fits, however it came', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 })), (parts) => {
        const text = parts.join('');
        const kept = keepOutput(Math.max(4, Buffer.byteLength(text)));
        for (const part of parts) kept.add(Buffer.from(part));
        expect(kept.text()).toBe(Buffer.from(text).toString('utf8'));
        expect(kept.droppedBytes).toBe(0);
      }),
    );
  });
  test('keeps the first quarter and the last three, and counts the rest', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 50 })),
        fc.integer({ min: 4, max: 60 }),
        (parts, budget) => {
          const text = parts.join('');
          const kept = keepOutput(budget);
          for (const part of parts) kept.add(Buffer.from(part));
          const head = Math.floor(budget / 4);
          expect(kept.droppedBytes).toBe(Math.max(0, text.length - budget));
          expect(kept.text().startsWith(text.slice(0, head))).toBe(true);
          if (text.length > budget) expect(kept.text().endsWith(text.slice(-(budget - head)))).toBe(true);
        },
      ),
    );
  });
});

describe('toHostPaths', () => {
  const mappings = [
    { inside: '/work', host: '/data/run/tree' },
    { inside: '/opt/tools', host: '/data/run/tools' },
    { inside: '/opt', host: '/other' },
    { inside: '/tmp', host: '/data/run/tmp' },
  ];
  test.each([
    ['/work', '/data/run/tree'],
    ['/work/a b', '/data/run/tree/a b'],
    ['--out=/work/dist', '--out=/data/run/tree/dist'],
    ['cd /work && ls "/work/x" \'/tmp\'', 'cd /data/run/tree && ls "/data/run/tree/x" \'/data/run/tmp\''],
    ['/opt/tools/bin:/opt/bin:/usr/bin', '/data/run/tools/bin:/other/bin:/usr/bin'],
    ['file:///work/a.mjs', 'file:///data/run/tree/a.mjs'],
    ['/workshop', '/workshop'],
    ['/work.old', '/work.old'],
    ['/home/work', '/home/work'],
    ['https://host/work', 'https://host/work'],
    ['./work', './work'],
  ])('%s becomes %s', (inside, host) => {
    expect(toHostPaths(inside, mappings)).toBe(host);
  });
  test('what a command prints reads as inside again', () => {
    expect(toInsidePaths('at /data/run/tree/a.ts:3 in /data/run/tools/bin', mappings)).toBe(
      'at /work/a.ts:3 in /opt/tools/bin',
    );
  });
});

describe('exitOutcome', () => {
  test.each([
    [
      { code: 0, signal: null },
      { kind: 'exited', code: 0 },
    ],
    [
      { code: 255, signal: null },
      { kind: 'exited', code: 255 },
    ],
    [
      { code: 127, signal: null },
      { kind: 'exited', code: 127 },
    ],
    [
      { code: 139, signal: null },
      { kind: 'signalled', signal: 'SIGSEGV' },
    ],
    [
      { code: null, signal: 'SIGKILL' },
      { kind: 'signalled', signal: 'SIGKILL' },
    ],
  ])('%o', (end, outcome) => {
    expect(exitOutcome(end)).toEqual(outcome);
  });
});

describe('judgeCanaries', () => {
  const exited = { kind: 'exited', code: 0 } as const;
  test('all tried and none broken is full', () => {
    expect(judgeCanaries({ outcome: exited, stdout: 'TRIED\n', stderr: '' })).toEqual({
      driver: 'bubblewrap',
      level: 'full',
      missing: [],
    });
  });
  test('one broken is no sandbox, and so is an attempt that did not finish', () => {
    const broken = judgeCanaries({ outcome: exited, stdout: 'BROKEN network\nTRIED\n', stderr: '' });
    expect([broken.level, broken.missing]).toEqual(['none', [expect.stringContaining('network')]]);
    expect(judgeCanaries({ outcome: exited, stdout: '', stderr: '' }).level).toBe('none');
  });
  test.each([
    ['bwrap: setting up uid map: Permission denied', 'apparmor'],
    ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'apparmor'],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", 'systempaths=unconfined'],
    [
      'bwrap: No permissions to create new namespace, likely because the kernel does not allow it',
      'unprivileged_userns_clone',
    ],
    ['bwrap: Unknown option --ro-bind-fd', 'apt-get install bubblewrap'],
  ])('%s is answered with its remedy', (detail, remedy) => {
    const probe = judgeCanaries({ outcome: { kind: 'setup-failed', detail }, stdout: '', stderr: '' });
    expect(probe).toMatchObject({ level: 'none', missing: [expect.stringContaining(remedy)] });
  });
});

describe('bubblewrapArguments', () => {
  const args = bubblewrapArguments({
    host: { links: [{ at: '/bin', target: 'usr/bin' }], directories: ['/lib64'] },
    etc: { source: { fd: 6 }, fromHost: ['ssl/certs'] },
    mounts: [
      { source: { fd: 8 }, at: '/opt/refactor-bot/node_modules/typescript', mode: 'ro' },
      { source: { fd: 7 }, at: '/opt/refactor-bot', mode: 'ro' },
      { source: { path: '/mnt/9' }, at: '/work', mode: 'rw' },
    ],
    env: { A: 'b' },
    cwd: '/work',
    tmpBytes: 1000,
  }).join(' ');
  test('mounts outer directories first and makes their open parents', () => {
    expect(args).toContain('--perms 0755 --dir /opt --bind /mnt/9 /work');
    expect(args).toContain('--ro-bind-fd 7 /opt/refactor-bot --ro-bind-fd 8 /opt/refactor-bot/node_modules/typescript');
    expect(args).not.toContain('--dir /opt/refactor-bot');
  });
  test('gives every memory file system a size and closes the root last', () => {
    expect(args.match(/--tmpfs/g)).toHaveLength(3);
    expect(args.match(/--size \d+ --tmpfs/g)).toHaveLength(3);
    expect(args.indexOf('--remount-ro / ')).toBeGreaterThan(args.lastIndexOf('bind'));
  });
});
