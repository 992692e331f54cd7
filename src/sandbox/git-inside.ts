import { BotError } from '../domain/errors.ts';
import { INSIDE, type Workspace } from '../domain/workspace.ts';
import type { Mount, Sandbox, SandboxLimits, SandboxResult } from './sandbox.ts';

const MEGABYTE = 1024 * 1024;

/** Of the bot's own git commands inside the sandbox; a tree of ten thousand files takes them seconds. */
const GIT_LIMITS: SandboxLimits = {
  wallMs: 120_000,
  silenceMs: 120_000,
  memoryBytes: 1024 * MEGABYTE,
  processes: 64,
  fileBytes: 1024 * MEGABYTE,
  tmpBytes: 512 * MEGABYTE,
  diskBytes: 4096 * MEGABYTE,
  outputBytes: 20 * MEGABYTE,
};

/**
 * The trusted repository is read, never written: index and new objects go to /tmp, which is gone afterwards. What the tree says
 * (nested repositories with filters or hooks of their own) can only run in here, where there is nothing to win.
 */
const GIT_ENVIRONMENT = {
  GIT_DIR: INSIDE.git,
  GIT_WORK_TREE: INSIDE.tree,
  GIT_INDEX_FILE: '/tmp/index',
  GIT_OBJECT_DIRECTORY: '/tmp/objects',
  GIT_ALTERNATE_OBJECT_DIRECTORIES: `${INSIDE.git}/objects`,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
} as const;

/** For every git command of a script: `git $settings …` would be split wrongly, so it is a shell function. */
export const GIT_FUNCTION = `
mkdir -p /tmp/objects
hermetic_git() {
  git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.attributesFile=/tmp/attributes -c core.excludesFile=/tmp/excludes \\
    -c core.protectHFS=true -c core.protectNTFS=true -c protocol.allow=never -c diff.external= -c submodule.recurse=false \\
    -c core.autocrlf=false -c core.safecrlf=false -c core.quotePath=true -c gc.auto=0 "$@"
}
# Dependencies are not part of the tree even where the repository forgot to ignore them.
printf 'node_modules\\n.pnp.*\\n' >/tmp/excludes`;

/** Runs a script of the bot's own over tree and repository; a failure of it is an error, as nothing in it depends on the repository's will. */
export async function runGitInside(task: {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly tree: 'ro' | 'rw';
  readonly script: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly what: string;
  readonly signal: AbortSignal;
}): Promise<SandboxResult> {
  const mounts: readonly Mount[] = [
    { host: task.workspace.gitDir, at: INSIDE.git, mode: 'ro' },
    { host: task.workspace.treeDir, at: INSIDE.tree, mode: task.tree },
  ];
  const result = await task.sandbox.run(
    {
      argv: ['/bin/sh', '-c', `${GIT_FUNCTION}\n${task.script}`, 'sh', ...task.args],
      cwd: INSIDE.tree,
      mounts,
      env: { ...task.environment, ...GIT_ENVIRONMENT },
      network: { mode: 'none' },
      limits: GIT_LIMITS,
    },
    task.signal,
  );
  if (result.outcome.kind === 'exited' && result.outcome.code === 0) return result;
  throw failure(task.what, result);
}

function failure(what: string, result: SandboxResult): BotError {
  const outcome = result.outcome;
  const ended =
    'detail' in outcome ? outcome.detail : outcome.kind === 'exited' ? `exit ${outcome.code}` : outcome.signal;
  const message = `${what} failed in the sandbox (${outcome.kind}: ${ended}): ${result.stderr.trim().slice(-500)}`;
  return new BotError(outcome.kind === 'out-of-disk' ? 'disk-full' : 'invariant-broken', message);
}
