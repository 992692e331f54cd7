import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { baseEnvironment } from '../../src/sandbox/base-environment.ts';
import {
  MEGABYTE,
  openSandboxBench,
  processesWith,
  testLimits,
  whyNoBubblewrap,
  type SandboxBench,
} from '../support/sandbox-drivers.ts';

const noBubblewrap = await whyNoBubblewrap();

describe.each(['bubblewrap', 'unsandboxed'] as const)('Sandbox: %s', (driver) => {
  if (driver === 'bubblewrap' && noBubblewrap !== null) return test.skip(noBubblewrap, () => undefined);

  let bench: SandboxBench;
  beforeEach(async () => {
    bench = await openSandboxBench(driver);
  });
  afterEach(async () => {
    const left = readdirSync(bench.scratchDir).filter((name) => name !== 'etc');
    await bench.remove();
    expect(left, 'the driver leaves nothing behind').toEqual([]);
  });

  const started = (mark: string) => vi.waitFor(() => expect(processesWith(mark).length).toBeGreaterThan(0), 10_000);

  test('tells the exit code and both streams', async () => {
    const result = await bench.run('echo out; echo err >&2; exit 3');
    expect(result.outcome).toEqual({ kind: 'exited', code: 3 });
    expect(result.stdout).toBe('out\n');
    expect(result.stderr).toBe('err\n');
    expect(result.output.split('\n').sort()).toEqual(['', 'err', 'out']);
    expect(result.droppedBytes).toBe(0);
  });

  test('tells a command that does not exist as a shell does', async () => {
    const result = await bench.run('', { argv: ['/no/such/program'] });
    expect(result.outcome).toEqual({ kind: 'exited', code: 127 });
  });

  test.each(['kill -KILL $$', 'sh -c "kill -KILL \\$\\$"'])(
    'tells the signal that ended the command: %s',
    async (script) => {
      const result = await bench.run(script);
      expect(result.outcome).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
    },
  );

  test('says when a command could not be started', async () => {
    const result = await bench.run('echo ran', { cwd: '/no/such/directory' });
    expect(result.outcome.kind).toBe('setup-failed');
    expect(result.stdout).toBe('');
  });

  test('passes on the given environment and nothing else', async () => {
    process.env['SANDBOX_TEST_CANARY'] = 'inherited';
    const result = await bench.run('', {
      argv: ['/usr/bin/env', '-0'],
      env: { ...baseEnvironment(), EXTRA: 'a\nb "c" $d' },
    });
    delete process.env['SANDBOX_TEST_CANARY'];
    const seen = Object.fromEntries(
      result.stdout
        .split('\0')
        .filter(Boolean)
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    // Of the shell that sets the limits.
    for (const ofTheShell of ['PWD', 'SHLVL', '_']) delete seen[ofTheShell];
    expect(seen).toEqual({ ...baseEnvironment(), EXTRA: 'a\nb "c" $d' });
  });

  test('shows mounts at their inside paths, in arguments, environment and directory', async () => {
    const result = await bench.run('mkdir sub; cd sub; echo "$WHERE" >/work/sub/file; pwd; cat "$WHERE/sub/file"', {
      env: { ...baseEnvironment(), WHERE: '/work' },
    });
    expect(result.output).toBe('/work/sub\n/work\n');
    expect(existsSync(path.join(bench.tree, 'sub/file'))).toBe(true);
  });

  test('gives an empty home and /tmp that are gone afterwards', async () => {
    const script = 'ls -A "$HOME" "$TMPDIR"; echo 1 >"$HOME/left"; echo 1 >"$TMPDIR/left"; cat /tmp/left';
    const first = await bench.run(script);
    expect(first.outcome).toEqual({ kind: 'exited', code: 0 });
    expect((await bench.run(script)).stdout).toBe(first.stdout);
    expect(first.stdout).not.toContain('left');
  });

  test('hands over no descriptors but the three standard ones', async () => {
    const result = await bench.run('ls /proc/self/fd | wc -l');
    // The fourth is the listing itself.
    expect(result.stdout.trim()).toBe('4');
  });

  test('keeps the first quarter and the end of a flood of output, and counts the rest', async () => {
    const limits = { ...testLimits, outputBytes: 40_000 };
    const result = await bench.run('echo first; head -c 20000000 /dev/zero | tr "\\0" x; echo; echo last', { limits });
    expect(result.droppedBytes).toBe(20_000_000 + 'first\n'.length + '\nlast\n'.length - 40_000);
    expect(result.stdout.startsWith('first\nxxx')).toBe(true);
    expect(result.stdout.endsWith('xxx\nlast\n')).toBe(true);
    expect(result.stdout.length).toBeLessThan(40_100);
  });

  test('kills a command that runs too long', async () => {
    const mark = randomUUID();
    const result = await bench.run(`sleep 300 & echo going; perl -e 'sleep 300' ${mark}`, {
      limits: { ...testLimits, wallMs: 500 },
    });
    expect(result.outcome.kind).toBe('timed-out');
    expect(result.stdout).toBe('going\n');
    expect(processesWith(mark)).toEqual([]);
  });

  test('kills a command that falls silent', async () => {
    const result = await bench.run('echo going; sleep 300', { limits: { ...testLimits, silenceMs: 500 } });
    expect(result.outcome.kind).toBe('silent');
  });

  const daemon = (mark: string) =>
    `setsid sh -c "trap '' TERM HUP INT; exec perl -e 'sleep 300' ${mark}" >/dev/null 2>&1 </dev/null & setsid perl -e 'fork and exit; sleep 300' ${mark} &`;

  test('kills everything on abort, daemons too, before it settles', async () => {
    const mark = randomUUID();
    const abort = new AbortController();
    const running = bench.run(`${daemon(mark)} perl -e '$SIG{TERM}="IGNORE"; sleep 300' ${mark}`, {}, abort.signal);
    await started(mark);
    abort.abort(new Error('any reason'));
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(processesWith(mark)).toEqual([]);
  });

  test('does not start when aborted before', async () => {
    const running = bench.run('touch /work/started', {}, AbortSignal.abort());
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(existsSync(path.join(bench.tree, 'started'))).toBe(false);
  });

  test('leaves no daemon behind when the command ends by itself', async () => {
    const mark = randomUUID();
    const result = await bench.run(`${daemon(mark)} until pgrep -f ${mark} >/dev/null; do :; done; echo done`);
    expect(result.outcome).toEqual({ kind: 'exited', code: 0 });
    expect(processesWith(mark)).toEqual([]);
  });

  test('limits the size of one file', async () => {
    const result = await bench.run('head -c 5000000 /dev/zero >large', {
      limits: { ...testLimits, fileBytes: MEGABYTE },
    });
    expect(result.outcome).not.toEqual({ kind: 'exited', code: 0 });
    expect(statSync(path.join(bench.tree, 'large')).size).toBe(MEGABYTE);
  });

  test('kills what writes more than it may, in many files', async () => {
    const script = 'for ((n = 0; ; n++)); do head -c 2000000 /dev/zero >file$n; done';
    const result = await bench.run(script, { limits: { ...testLimits, diskBytes: 20 * MEGABYTE } });
    expect(result.outcome.kind).toBe('out-of-disk');
  });

  test('kills what uses more memory than it may, in many processes', async () => {
    const script = `perl -e 'fork; fork; my $x = "a" x 60e6; sleep 60'`;
    const result = await bench.run(script, { limits: { ...testLimits, memoryBytes: 100 * MEGABYTE } });
    expect(result.outcome.kind).toBe('out-of-memory');
  });

  test('lets files of an earlier command be read and changed by the next', async () => {
    await bench.run('echo one >file');
    const result = await bench.run('echo two >>file; cat file');
    expect(result.stdout).toBe('one\ntwo\n');
    expect(readFileSync(path.join(bench.tree, 'file'), 'utf8')).toBe('one\ntwo\n');
  });

  test('runs commands side by side without mixing them up', async () => {
    const results = await Promise.all([1, 2, 3, 4].map((n) => bench.run(`echo ${n} >/tmp/mine; cat /tmp/mine`)));
    expect(results.map((result) => result.stdout)).toEqual(['1\n', '2\n', '3\n', '4\n']);
  });
});
