import { mkdtemp, chmod } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import type { TrustedPath } from '../../src/domain/workspace.ts';
import { baseEnvironment } from '../../src/sandbox/base-environment.ts';
import { createBubblewrapSandbox } from '../../src/sandbox/bubblewrap-sandbox.ts';
import { makeDirectory, removeDirectory, type SandboxUser } from '../../src/sandbox/run-directories.ts';
import type { Sandbox, SandboxLimits, SandboxResult, SandboxSpec } from '../../src/sandbox/sandbox.ts';
import { createUnsandboxed } from '../../src/sandbox/unsandboxed.ts';

export const MEGABYTE = 1024 * 1024;

export const isRoot = process.getuid?.() === 0;
/** A user that owns nothing on this machine. */
export const sandboxUser: SandboxUser = isRoot ? { uid: 64_321, gid: 64_321 } : null;

export const testLimits: SandboxLimits = {
  wallMs: 60_000,
  silenceMs: 60_000,
  memoryBytes: 2048 * MEGABYTE,
  processes: 256,
  fileBytes: 64 * MEGABYTE,
  tmpBytes: 64 * MEGABYTE,
  diskBytes: 256 * MEGABYTE,
  outputBytes: 1 * MEGABYTE,
};

export interface SandboxBench {
  readonly root: TrustedPath;
  readonly scratchDir: TrustedPath;
  /** Mounted at /work, and the sandbox user's. */
  readonly tree: TrustedPath;
  readonly sandbox: Sandbox;
  run(script: string, change?: Partial<SandboxSpec>, signal?: AbortSignal): Promise<SandboxResult>;
  remove(): Promise<void>;
}

/** A driver with a tree of its own and a shell in it. */
export async function openSandboxBench(driver: Sandbox['name']): Promise<SandboxBench> {
  const root = (await mkdtemp(path.join(os.tmpdir(), 'sandbox-test-'))) as TrustedPath;
  await chmod(root, 0o755);
  const scratchDir = await makeDirectory(path.join(root, 'scratch'), null);
  const tree = await makeDirectory(path.join(root, 'tree'), sandboxUser);
  const logger = pino({ level: 'silent' });
  const sandbox =
    driver === 'bubblewrap'
      ? createBubblewrapSandbox({ scratchDir, user: sandboxUser, logger })
      : createUnsandboxed({ scratchDir, user: null, logger });
  return {
    root,
    scratchDir,
    tree,
    sandbox,
    run: (script, change = {}, signal = new AbortController().signal) =>
      sandbox.run(
        {
          argv: ['/bin/bash', '-c', script],
          cwd: '/work',
          mounts: [{ host: tree, at: '/work', mode: 'rw' }],
          env: baseEnvironment(),
          network: { mode: 'none' },
          limits: testLimits,
          ...change,
        },
        signal,
      ),
    remove: () => removeDirectory(root),
  };
}

/** Why the bubblewrap driver cannot be tried here; null when it can. Said aloud, and an error where nothing may be skipped. */
export async function whyNoBubblewrap(): Promise<string | null> {
  const bench = await openSandboxBench('bubblewrap');
  try {
    const probe = await bench.sandbox.probe();
    if (probe.level === 'full') return null;
    const why = `NOT TESTED: the bubblewrap driver. ${probe.missing.join(' ')}`;
    if (process.env['CI'] === 'true') throw new Error(why);
    console.warn(why);
    return why;
  } finally {
    await bench.remove();
  }
}

/** Processes of this machine whose command line holds `mark`. */
export function processesWith(mark: string): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return pid !== process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
}
