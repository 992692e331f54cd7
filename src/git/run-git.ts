import { execa } from 'execa';
import { simpleGit, type SimpleGit } from 'simple-git';
import {
  forcedConfiguration,
  hermeticEnvironment,
  simpleGitOptIns,
  type GitSurroundings,
  type Transport,
} from './hermetic-settings.ts';
import { mapGitError } from './map-git-error.ts';

/** The trusted bare repository of a call, and what the operator lets git see. */
export interface GitPlace {
  readonly gitDir: string;
  readonly surroundings: GitSurroundings;
}

export interface GitCall {
  readonly args: readonly string[];
  readonly input?: string | Uint8Array;
  /** Added to the forced environment: an index file, an identity. */
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are answers, not failures; 0 always is. */
  readonly answers?: readonly number[];
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** No answer of git is read beyond this: a repository must not fill the bot's memory. */
const OUTPUT_LIMIT_BYTES = 512 * 1024 * 1024;

/**
 * Plumbing that needs standard input, bytes, or an exit code as an answer. It never leaves the repository: no transport is
 * allowed. simple-git does the rest; it has no way to stream input, and waits 50 ms after a command that prints nothing.
 */
export async function runGit(place: GitPlace, call: GitCall): Promise<GitAnswer> {
  const config = forcedConfiguration('none').flatMap((pair) => ['-c', pair]);
  const result = await execa('git', [...config, ...call.args], {
    cwd: place.gitDir,
    env: { ...hermeticEnvironment(place.gitDir, 'none', place.surroundings), ...call.env },
    extendEnv: false,
    encoding: 'buffer',
    stripFinalNewline: false,
    reject: false,
    maxBuffer: OUTPUT_LIMIT_BYTES,
    input: call.input ?? '',
  });
  const code = result.exitCode ?? -1;
  const stderr = Buffer.from(result.stderr).toString('utf8');
  if (code !== 0 && !(call.answers ?? []).includes(code)) {
    throw mapGitError(stderr || (result.originalMessage ?? ''), call.args, result.cause);
  }
  return { code, stdout: Buffer.from(result.stdout), stderr };
}

export async function gitText(place: GitPlace, call: GitCall): Promise<string> {
  const { stdout } = await runGit(place, call);
  return stdout.toString('utf8').trimEnd();
}

/** How one call of the ordinary verbs goes out. */
export interface GitReach {
  readonly transport: Transport;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Runs an ordinary verb. Throws what `mapGitError` makes of git's words, or an AbortError. */
export async function gitVerb(
  place: GitPlace,
  args: readonly string[],
  reach: GitReach = { transport: 'none' },
): Promise<string> {
  reach.signal?.throwIfAborted();
  try {
    return await openSimpleGit(place, reach).raw([...args]);
  } catch (thrown) {
    reach.signal?.throwIfAborted();
    throw mapGitError(thrown instanceof Error ? thrown.message : String(thrown), args, thrown);
  }
}

function openSimpleGit(place: GitPlace, reach: GitReach): SimpleGit {
  const env = { ...hermeticEnvironment(place.gitDir, reach.transport, place.surroundings), ...reach.credentials };
  return simpleGit({
    baseDir: place.gitDir,
    config: [...forcedConfiguration(reach.transport)],
    unsafe: simpleGitOptIns(),
    allowEnvironment: Object.keys(env),
    // The default also ends 50 ms after `exit`, with whatever was read until then.
    completion: { onClose: true, onExit: false },
    // The default lets a failure pass that printed nothing, as when git was killed.
    errors: (error, result) => (result.exitCode === 0 ? error : (error ?? Buffer.concat(result.stdErr))),
    ...(reach.signal === undefined ? {} : { abort: reach.signal }),
  }).env(env);
}
