import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { BotError } from '../domain/errors.ts';
import { INSIDE, type TrustedPath } from '../domain/workspace.ts';
import type { Logger } from '../telemetry/logger.ts';
import { bubblewrapArguments, isWithin } from './bubblewrap-arguments.ts';
import { commandLauncher } from './command-launcher.ts';
import { openEgress, type Egress } from './egress.ts';
import { exitOutcome } from './exit-outcome.ts';
import { readHostLayout, type HostLayout } from './host-layout.ts';
import { createOpenFiles, type OpenFiles } from './open-files.ts';
import { probeBubblewrap } from './probe-bubblewrap.ts';
import { listProcessTree, waitForNamespaceEnd } from './process-tree.ts';
import type { SandboxUser } from './run-directories.ts';
import type { Sandbox, SandboxProbe, SandboxResult, SandboxSpec } from './sandbox.ts';
import { buildSeccompFilter } from './seccomp-filter.ts';
import { stageFor } from './stage-mounts.ts';
import { supervise, type SupervisedEnd } from './supervise.ts';
import { makeSyntheticEtc, type SyntheticEtc } from './synthetic-etc.ts';

/** Looked for where only root can put it, not along a PATH. */
const BUBBLEWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'].find((file) => existsSync(file));

export interface BubblewrapOptions {
  /** The bot's own; holds what one command needs beside its mounts. */
  readonly scratchDir: TrustedPath;
  /** Who to become when the bot is root, as which bubblewrap must never start; of no effect when it is not. */
  readonly user: SandboxUser;
  readonly logger: Logger;
}

/**
 * Runs commands in Linux namespaces by bubblewrap: an empty environment, a file tree of the mounts and the read-only system alone, no
 * network, a system-call filter, limits. Throws `binary-missing` or `sandbox-too-weak` (with the line that mends it) rather than run weaker.
 */
export function createBubblewrapSandbox(options: BubblewrapOptions): Sandbox {
  let probe: Promise<SandboxProbe> | undefined;
  let ground: Promise<Ground> | undefined;
  const run: Sandbox['run'] = async (spec, signal) => {
    const program = requireProgram(options);
    const files = createOpenFiles(options.scratchDir);
    let egress: Egress | null = null;
    try {
      egress = await openEgress({ spec, user: options.user, scratchDir: options.scratchDir });
      ground ??= layGround(options.scratchDir).catch((error: unknown) => {
        ground = undefined;
        throw error;
      });
      const prepared = await prepare({ spec, files, egress, options, ground: await ground });
      const status = followStatus();
      const end = await supervise(
        {
          argv: [...prepared.launcher, program, ...FIXED_OPTIONS, '--', ...prepared.argv],
          cwd: '/',
          env: {},
          user: prepared.user,
          descriptors: prepared.descriptors,
          onStatus: (text) => status.read(text),
          limits: spec.limits,
          writable: spec.mounts.filter((mount) => mount.mode === 'rw').map((mount) => mount.host),
          listProcesses: () => listTree(status.firstProcess()),
          // bubblewrap ends with its command and does not wait until the daemons it leaves behind are dead.
          sweep: async () => {
            const first = status.firstProcess();
            if (first !== null) await waitForNamespaceEnd(first);
          },
          kill: (pid, again) => killTree(status.firstProcess(), { launcher: pid, again }),
        },
        signal,
      );
      return toResult(end, { ran: status.ran(), deniedHosts: egress?.deniedHosts() ?? [] });
    } finally {
      await files.close();
      await egress?.close();
    }
  };
  const sandbox: Sandbox = {
    name: 'bubblewrap',
    run,
    probe: () => (probe ??= probeBubblewrap({ run, scratchDir: options.scratchDir })),
  };
  return sandbox;
}

function requireProgram(options: BubblewrapOptions): string {
  if (BUBBLEWRAP === undefined) {
    throw new BotError('binary-missing', 'bubblewrap is not installed. Install it with: apt-get install bubblewrap');
  }
  if (process.getuid?.() === 0 && (options.user === null || options.user.uid === 0)) {
    // As root, even a namespace without capabilities can write the host's kernel settings under /proc/sys.
    throw new BotError(
      'sandbox-too-weak',
      'The bot runs as root and the sandbox must not. Set REFACTOR_BOT_SANDBOX_UID and REFACTOR_BOT_SANDBOX_GID to a user of its own, or run the bot as an ordinary user.',
    );
  }
  return BUBBLEWRAP;
}

/** What is the same for every command of one driver. */
interface Ground {
  readonly host: HostLayout;
  readonly etc: SyntheticEtc;
  readonly filter: Buffer;
}

async function layGround(scratchDir: TrustedPath): Promise<Ground> {
  return { host: await readHostLayout(), etc: await makeSyntheticEtc(scratchDir), filter: buildSeccompFilter() };
}

interface Preparation {
  readonly ground: Ground;
  readonly spec: SandboxSpec;
  readonly files: OpenFiles;
  readonly egress: Egress | null;
  readonly options: BubblewrapOptions;
}

/** Descriptors of the command by their place; the mounts follow. */
const FIXED_OPTIONS = ['--args', '3', '--seccomp', '4', '--json-status-fd', '5'];
const ETC_FD = 6;

async function prepare({ spec, files, egress, options, ground }: Preparation) {
  refuseNestedMounts(spec);
  const { etc } = ground;
  const mounts = [...spec.mounts, ...(egress?.mounts ?? [])].map((mount, index) => ({
    ...mount,
    fd: ETC_FD + 1 + index,
  }));
  const stage = await stageFor([{ host: etc.dir, fd: ETC_FD }, ...mounts], options.user);
  const sourceOf = (fd: number) => (stage === null ? { fd } : { path: stage.place(fd) });
  const args = bubblewrapArguments({
    host: ground.host,
    etc: { source: sourceOf(ETC_FD), fromHost: etc.fromHost },
    mounts: mounts.map(({ fd, at, mode }) => ({ source: sourceOf(fd), at, mode })),
    env: { ...spec.env, ...egress?.env },
    cwd: spec.cwd,
    tmpBytes: spec.limits.tmpBytes,
  });
  const argsFd = await files.holding(`${args.map(refuseNul).join('\0')}\0`);
  const filterFd = await files.holding(ground.filter);
  const etcFd = await files.directory(etc.dir);
  // One after the other: of several at once, the rest would be opened after a failure had closed them all.
  const mountFds: number[] = [];
  for (const { host } of mounts) mountFds.push(await files.directory(host));
  return {
    launcher: stage?.launcher ?? [],
    /** Staging starts as root and becomes the user by itself. */
    user: stage === null ? options.user : null,
    descriptors: [argsFd, filterFd, 'pipe' as const, etcFd, ...mountFds],
    // Limits are set inside, where the kernel counts processes per sandbox; outside it would count all of the user's.
    argv: [...commandLauncher(spec.limits), ...(egress?.launcher ?? []), ...spec.argv],
  };
}

function refuseNul(argument: string): string {
  if (!argument.includes('\0')) return argument;
  throw new BotError('invariant-broken', 'A sandbox argument holds a NUL byte.');
}

/** A mount point inside what a repository wrote is under its control: a planted link there would fail or redirect the mount. */
function refuseNestedMounts(spec: SandboxSpec): void {
  for (const outer of spec.mounts.filter((mount) => mount.at !== INSIDE.bot)) {
    const inner = spec.mounts.find((mount) => mount !== outer && isWithin(mount.at, outer.at));
    if (inner !== undefined) throw new BotError('invariant-broken', `Mount ${inner.at} lies inside mount ${outer.at}.`);
  }
}

/** Reads bubblewrap's status records: the first process of the sandbox, then (only if the command ran) its exit code. */
function followStatus() {
  let text = '';
  let firstProcess: number | null = null;
  return {
    read(chunk: string) {
      text += chunk;
      const found = /"child-pid": ?(\d+)/.exec(text)?.[1];
      if (firstProcess !== null || found === undefined) return;
      firstProcess = Number(found);
      // When the machine itself runs out of memory, the kernel is to take this one. A process may raise its own score.
      void writeFile(`/proc/${firstProcess}/oom_score_adj`, '1000').catch(() => undefined);
    },
    firstProcess: () => firstProcess,
    ran: () => text.includes('"exit-code"'),
  };
}

async function listTree(first: number | null): Promise<readonly number[]> {
  return first === null ? [] : await listProcessTree(first);
}

/**
 * Killing the first process of the namespace takes all others with it. Killing bubblewrap outside does the same by a detour;
 * it is for the time before the first process is known, and for when the first way does not help.
 */
function killTree(
  first: number | null,
  { launcher, again }: { readonly launcher: number; readonly again: boolean },
): void {
  if (first !== null && !again) tryKill(first);
  else tryKill(-launcher);
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function toResult(
  end: SupervisedEnd,
  seen: { readonly ran: boolean; readonly deniedHosts: readonly string[] },
): SandboxResult {
  const shared = { ...end.streams, durationMs: end.durationMs, deniedHosts: seen.deniedHosts };
  if (end.stopped !== null) return { ...shared, outcome: end.stopped };
  if (seen.ran) return { ...shared, outcome: exitOutcome(end) };
  const detail = end.startProblem ?? end.streams.stderr.trim().slice(-500);
  return { ...shared, outcome: { kind: 'setup-failed', detail } };
}
