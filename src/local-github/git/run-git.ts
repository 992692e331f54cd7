import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';

export interface GitOptions {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are answers, not failures; 0 always is. */
  readonly answers?: readonly number[];
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
}

/**
 * The one configuration that git sees. `safe.directory` has to come from a file: git forgets what the environment says
 * about it when it crosses into an imported repository that belongs to somebody else.
 */
const configuration = `[safe]
\tdirectory = *
[core]
\thooksPath = /dev/null
[gc]
\tauto = 0
[receive]
\tautogc = false
\tfsckObjects = true
\thideRefs = refs/pull
[uploadpack]
\tallowFilter = true
\tallowAnySHA1InWant = true
[user]
\tname = GitHub
\temail = noreply@github.com
`;

// The dot keeps it apart from the folders of owners.
const configurationFile = '.gitconfig';
const searchPath = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

export async function writeGitConfiguration(dataDir: string): Promise<void> {
  await writeFile(path.join(dataDir, configurationFile), configuration);
}

/** Nothing of the person's own environment or configuration reaches git, so that a repository behaves alike everywhere. */
export function hermeticEnvironment(dataDir: string): Record<string, string> {
  return {
    PATH: searchPath,
    HOME: dataDir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: path.join(dataDir, configurationFile),
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
    TZ: 'UTC',
  };
}

/** Starts git in a bare repository `<dataDir>/<owner>/<name>.git`. */
export function spawnGit(
  directory: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  const dataDir = path.dirname(path.dirname(directory));
  return spawn('git', args, { cwd: directory, env: { ...hermeticEnvironment(dataDir), ...env } });
}

/** Runs git to its end in a bare repository. Rejects on an exit code that is not among the answers. */
export async function runGit(directory: string, args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const { input = '', env = {}, answers = [] } = options;
  const child = spawnGit(directory, args, env);
  // git may exit without reading its input; that shows in the exit code.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const exit = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? -1));
  });
  const [stdout, stderr, code] = await Promise.all([buffer(child.stdout), text(child.stderr), exit]);
  if (code !== 0 && !answers.includes(code)) {
    throw new Error(`git ${args[0]} failed with exit code ${code} in ${directory}: ${stderr.trim()}`);
  }
  return { code, stdout };
}

/** The output of git as text, without the final line break. */
export async function gitText(directory: string, args: readonly string[], options: GitOptions = {}): Promise<string> {
  const { stdout } = await runGit(directory, args, options);
  return stdout.toString('utf8').replace(/\n$/, '');
}

export async function gitLines(
  directory: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string[]> {
  const output = await gitText(directory, args, options);
  return output === '' ? [] : output.split('\n');
}
