import { readFile, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { BotError } from '../domain/errors.ts';
import type { TrustedPath } from '../domain/workspace.ts';
import type { Logger } from '../telemetry/logger.ts';
import { INSIDE_HOME } from './base-environment.ts';
import { commandLauncher } from './command-launcher.ts';
import { exitOutcome } from './exit-outcome.ts';
import { toHostPaths, toInsidePaths, type PathMapping } from './inside-paths.ts';
import { listProcesses, listProcessTree } from './process-tree.ts';
import { makeDirectory, removeDirectory, type SandboxUser } from './run-directories.ts';
import type { Sandbox, SandboxResult, SandboxSpec } from './sandbox.ts';
import { supervise, type SupervisedEnd } from './supervise.ts';

export interface UnsandboxedOptions {
  readonly scratchDir: TrustedPath;
  /** Whom to become when the bot is root; null: stay. */
  readonly user: SandboxUser;
  readonly logger: Logger;
}

/**
 * Runs commands with NO protection: they can read what the bot can read and reach what it can reach. It keeps the same rules where they
 * cost nothing (complete environment, inside paths, limits, whole tree killed), so that a check gives the same verdict with either
 * driver. The network is not restricted, and read-only mounts are not. Made only where the operator asked for it twice.
 */
export function createUnsandboxed(options: UnsandboxedOptions): Sandbox {
  return {
    name: 'unsandboxed',
    probe: () =>
      Promise.resolve({
        driver: 'unsandboxed',
        level: 'none',
        missing: ['Nothing protects this machine from the repository. Install bubblewrap: apt-get install bubblewrap'],
      }),
    async run(spec, signal) {
      options.logger.warn({ program: spec.argv[0] }, 'running a command without a sandbox');
      const scratch = await makeScratch(options);
      try {
        return await runMapped({ spec, scratch, options }, signal);
      } finally {
        await removeDirectory(scratch.root);
      }
    },
  };
}

interface Scratch {
  readonly root: TrustedPath;
  readonly mappings: readonly PathMapping[];
}

async function makeScratch(options: UnsandboxedOptions): Promise<Scratch> {
  const root = await makeDirectory(await mkdtemp(path.join(options.scratchDir, 'run-')), null);
  return {
    root,
    mappings: [
      { inside: '/tmp', host: await makeDirectory(path.join(root, 'tmp'), options.user) },
      { inside: INSIDE_HOME, host: await makeDirectory(path.join(root, 'home'), options.user) },
    ],
  };
}

interface MappedRun {
  readonly spec: SandboxSpec;
  readonly scratch: Scratch;
  readonly options: UnsandboxedOptions;
}

async function runMapped({ spec, scratch, options }: MappedRun, signal: AbortSignal): Promise<SandboxResult> {
  const mappings = [...scratch.mappings, ...spec.mounts.map(({ at, host }) => ({ inside: at, host }))];
  refuseOddPaths(mappings);
  const toHost = (text: string) => toHostPaths(text, mappings);
  // Processes are counted per user, over all its commands: one with other work would be over the limit at once.
  const launcher = commandLauncher({ ...spec.limits, processes: null });
  const end = await supervise(
    {
      argv: [...launcher, ...spec.argv.map(toHost)],
      cwd: toHost(spec.cwd),
      env: Object.fromEntries(Object.entries(spec.env).map(([name, value]) => [name, toHost(value)])),
      user: options.user,
      descriptors: [],
      limits: spec.limits,
      writable: spec.mounts.filter((mount) => mount.mode === 'rw').map((mount) => mount.host),
      listProcesses: async (pid) => [
        ...new Set([...(await listProcessTree(pid)), ...(await listMarked(scratch.root))]),
      ],
      kill: (pid) => {
        tryKill(-pid);
        void killMarked(scratch.root);
      },
      sweep: () => killMarked(scratch.root),
    },
    signal,
  );
  return toResult(end, mappings);
}

/** Arguments may be shell text: a host path that a shell would take apart cannot be put in the place of an inside path. */
function refuseOddPaths(mappings: readonly PathMapping[]): void {
  const odd = mappings.find(({ host }) => !/^[\w@%+=:,./-]+$/.test(host));
  if (odd === undefined) return;
  throw new BotError(
    'settings-invalid',
    `Without a sandbox the data directory may not hold blanks or quotes in its path. Move it, or use the sandbox: ${odd.host}`,
  );
}

/**
 * A process that left its group and its parents is still known by its environment, which names the scratch directory of this run
 * (HOME or TMPDIR). One that also cleared its environment gets away: this driver protects from accidents only.
 */
async function listMarked(mark: string): Promise<readonly number[]> {
  const pids = await listProcesses();
  const marked = await Promise.all(
    pids.map(async (pid) => (await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')).includes(mark)),
  );
  return pids.filter((_, index) => marked[index]);
}

/** Until none is left: one may start another while it is being looked for. */
async function killMarked(mark: string): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const pids = await listMarked(mark);
    if (pids.length === 0) return;
    for (const pid of pids) tryKill(pid);
  }
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function toResult(end: SupervisedEnd, mappings: readonly PathMapping[]): SandboxResult {
  const { stdout, stderr, output, droppedBytes } = end.streams;
  const shared = {
    stdout: toInsidePaths(stdout, mappings),
    stderr: toInsidePaths(stderr, mappings),
    output: toInsidePaths(output, mappings),
    droppedBytes,
    durationMs: end.durationMs,
    deniedHosts: [],
  };
  if (end.stopped !== null) return { ...shared, outcome: end.stopped };
  if (end.startProblem !== null) return { ...shared, outcome: { kind: 'setup-failed', detail: end.startProblem } };
  return { ...shared, outcome: exitOutcome(end) };
}
