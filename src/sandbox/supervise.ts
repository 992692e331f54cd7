import { execa } from 'execa';
import { watchDiskGrowth, type DiskGrowth } from './disk-growth.ts';
import { keepOutput, type KeptOutput } from './kept-output.ts';
import { measureMemory } from './process-tree.ts';
import type { SandboxUser } from './run-directories.ts';
import type { SandboxLimits, SandboxResult } from './sandbox.ts';

/** How often memory, disk and silence are looked at. */
const WATCH_INTERVAL_MS = 500;
/** After a first kill that was not enough. */
const SECOND_KILL_MS = 2000;

/** One command as a driver starts it: nothing is inherited but the descriptors named here. */
export interface SupervisedCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: SandboxUser;
  /** Descriptors 3 and up as the command gets them; `pipe` is read into `onStatus`. */
  readonly descriptors: readonly (number | 'pipe')[];
  readonly onStatus?: (text: string) => void;
  readonly limits: SandboxLimits;
  /** Host directories whose growth is limited. */
  readonly writable: readonly string[];
  /** All processes of the command, given the one that was started. */
  listProcesses(pid: number): Promise<readonly number[]>;
  /** Kills them all; called again with `again` when that did not end it. */
  kill(pid: number, again: boolean): void;
  /** After the started process ended and before its output must end: what it left running goes here. */
  sweep?(): Promise<void>;
}

type Stop = Extract<SandboxResult['outcome'], { kind: 'timed-out' | 'silent' | 'out-of-memory' | 'out-of-disk' }>;

export interface SupervisedEnd {
  /** Null when the command ended by itself. */
  readonly stopped: Stop | null;
  readonly code: number | null;
  readonly signal: string | null;
  /** Why the command could not be started at all. */
  readonly startProblem: string | null;
  readonly streams: Pick<SandboxResult, 'stdout' | 'stderr' | 'output' | 'droppedBytes'>;
  readonly durationMs: number;
}

/** Runs one command to its end, or kills it at the first limit it passes. Rejects with an AbortError once the killed tree is gone. */
export async function supervise(command: SupervisedCommand, signal: AbortSignal): Promise<SupervisedEnd> {
  throwIfAborted(signal);
  const startedAt = performance.now();
  const growth = await watchDiskGrowth(command.writable, command.limits.diskBytes);
  throwIfAborted(signal);
  const child = start(command);
  const output = collectOutput(child, command.limits.outputBytes);
  const pipe = command.descriptors.indexOf('pipe');
  const status = pipe === -1 ? null : child.stdio[3 + pipe];
  if (status !== null && status !== undefined && 'on' in status) {
    status.on('data', (chunk: Buffer) => command.onStatus?.(chunk.toString('utf8')));
  }

  const killer = createKiller(command, child.pid);
  const onAbort = () => killer.kill();
  signal.addEventListener('abort', onAbort, { once: true });
  const watch = watchLimits({ command, growth, output, pid: child.pid }, killer.stop);
  child.nodeChildProcess.once('exit', () => void command.sweep?.());
  try {
    const result = await child;
    throwIfAborted(signal);
    return {
      stopped: killer.stopped(),
      code: result.exitCode ?? null,
      signal: result.signal ?? null,
      startProblem: child.pid === undefined ? (result.originalMessage ?? 'it could not be started') : null,
      streams: output.streams(),
      durationMs: performance.now() - startedAt,
    };
  } finally {
    watch.end();
    killer.end();
    signal.removeEventListener('abort', onAbort);
    await command.sweep?.();
  }
}

function start(command: SupervisedCommand) {
  const [file = '', ...rest] = command.argv;
  return execa(file, rest, {
    cwd: command.cwd,
    env: { ...command.env },
    extendEnv: false,
    // Stdin is ignored, not a pipe: bash reads ~/.bashrc when its stdin is a socket.
    // Any descriptor will do; execa's types name only the first ten.
    stdio: ['ignore', 'pipe', 'pipe', ...command.descriptors] as ['ignore', 'pipe', 'pipe', ...'pipe'[]],
    // A process group of its own, so that all of it can be killed at once.
    detached: true,
    cleanup: false,
    buffer: false,
    reject: false,
    ...(command.user === null || process.getuid?.() !== 0 ? {} : { uid: command.user.uid, gid: command.user.gid }),
  });
}

interface Output {
  readonly lastAt: () => number;
  readonly streams: () => SupervisedEnd['streams'];
}

function collectOutput(child: ReturnType<typeof start>, maxBytes: number): Output {
  const kept = { stdout: keepOutput(maxBytes), stderr: keepOutput(maxBytes), output: keepOutput(maxBytes) };
  let lastAt = performance.now();
  const follow = (stream: NodeJS.ReadableStream | null, own: KeptOutput) =>
    stream?.on('data', (chunk: Buffer) => {
      lastAt = performance.now();
      own.add(chunk);
      kept.output.add(chunk);
    });
  follow(child.stdout, kept.stdout);
  follow(child.stderr, kept.stderr);
  return {
    lastAt: () => lastAt,
    streams: () => ({
      stdout: kept.stdout.text(),
      stderr: kept.stderr.text(),
      output: kept.output.text(),
      droppedBytes: kept.stdout.droppedBytes + kept.stderr.droppedBytes,
    }),
  };
}

function createKiller(command: SupervisedCommand, pid: number | undefined) {
  let reason: Stop | null = null;
  let again: NodeJS.Timeout | null = null;
  const kill = () => {
    if (pid === undefined || again !== null) return;
    command.kill(pid, false);
    again = setInterval(() => command.kill(pid, true), SECOND_KILL_MS);
  };
  return {
    kill,
    /** The first reason counts. */
    stop: (stop: Stop) => {
      reason ??= stop;
      kill();
    },
    stopped: () => reason,
    end: () => {
      if (again !== null) clearInterval(again);
    },
  };
}

interface Watched {
  readonly command: SupervisedCommand;
  readonly growth: DiskGrowth;
  readonly output: Output;
  readonly pid: number | undefined;
}

function watchLimits(watched: Watched, stop: (reason: Stop) => void): { end(): void } {
  const { limits } = watched.command;
  const wall = setTimeout(
    () => stop({ kind: 'timed-out', detail: `it ran longer than ${limits.wallMs / 1000} s` }),
    limits.wallMs,
  );
  const silence = setInterval(
    () => {
      if (performance.now() - watched.output.lastAt() < limits.silenceMs) return;
      stop({ kind: 'silent', detail: `it printed nothing for ${limits.silenceMs / 1000} s` });
    },
    Math.min(WATCH_INTERVAL_MS, limits.silenceMs),
  );
  let looking = false;
  const resources = setInterval(() => {
    if (looking) return;
    looking = true;
    void lookAtResources(watched)
      .then((reason) => reason !== null && stop(reason))
      .finally(() => (looking = false));
  }, WATCH_INTERVAL_MS);
  return {
    end() {
      clearTimeout(wall);
      clearInterval(silence);
      clearInterval(resources);
    },
  };
}

async function lookAtResources({ command, growth, pid }: Watched): Promise<Stop | null> {
  if (pid === undefined) return null;
  const pids = await command.listProcesses(pid);
  const memory = await measureMemory(pids, command.limits.memoryBytes);
  if (memory > command.limits.memoryBytes) {
    return { kind: 'out-of-memory', detail: `it used ${memory} bytes, ${command.limits.memoryBytes} are allowed` };
  }
  const disk = await growth.check(pids);
  return disk === null ? null : { kind: 'out-of-disk', detail: disk };
}

function throwIfAborted(signal: AbortSignal): void {
  // Not `signal.reason`, which may be anything: the engine knows a cancelled step by this name.
  if (signal.aborted)
    throw new DOMException('The command was cancelled and everything it started is gone.', 'AbortError');
}
