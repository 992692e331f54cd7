import { mkdir, readdir } from 'node:fs/promises';
import type { TrustedPath } from '../domain/workspace.ts';
import { BotError } from '../domain/errors.ts';
import { bundle, churn, commit, hasCommit, listCommits, treeOf } from './commits.ts';
import { apply, checkout, diff, listTree, readBlobs } from './trees.ts';
import { fetchBranch, push } from './transfer.ts';
import { gitText, gitVerb, runGit, type GitPlace } from './run-git.ts';
import type { GitRepository } from './git-repository.ts';
import type { GitSurroundings } from './hermetic-settings.ts';

/** `merge-tree --write-tree`, `safe.bareRepository` and the fixes of that time: below it the forced settings do not hold. */
const OLDEST_GIT = { major: 2, minor: 38 };

/**
 * Opens the trusted bare repository of a run; makes it when the directory is empty or missing. Nobody but the bot may write into
 * it: what untrusted code made comes in as a diff, never as a repository. Throws `binary-missing`.
 */
export async function openGitRepository(
  gitDir: TrustedPath,
  surroundings: GitSurroundings = {},
): Promise<GitRepository> {
  const place: GitPlace = { gitDir, surroundings };
  await mkdir(gitDir, { recursive: true });
  await requireRecentGit(place);
  await makeWhenEmpty(place);
  return {
    gitDir,
    fetchBranch: (remote, branch, signal) => fetchBranch(place, { remote, branch }, signal),
    hasCommit: (id) => hasCommit(place, id),
    treeOf: (id) => treeOf(place, id),
    listTree: (tree) => listTree(place, tree),
    readBlobs: (oids) => readBlobs(place, oids),
    checkout: (tree, into) => checkout(place, tree, into),
    apply: (tree, text) => apply(place, tree, text),
    diff: (from, to) => diff(place, from, to),
    commit: (added) => commit(place, added),
    listCommits: (range) => listCommits(place, range),
    push: (remote, change, signal) => push(place, { remote, ...change }, signal),
    bundle: (file) => bundle(place, file),
    churn: (id) => churn(place, id),
  };
}

/** Throws `binary-missing` without git, or with one that is too old. */
export async function requireRecentGit(place: GitPlace): Promise<void> {
  const said = await gitText(place, { args: ['version'] });
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(said) ?? [];
  if (Number(major) > OLDEST_GIT.major) return;
  if (Number(major) === OLDEST_GIT.major && Number(minor) >= OLDEST_GIT.minor) return;
  const oldest = `${OLDEST_GIT.major}.${OLDEST_GIT.minor}`;
  throw new BotError('binary-missing', `git is too old: ${said} was found. Install git ${oldest} or newer.`, {
    details: { found: said, oldest },
  });
}

/** The first branch is one that is never born: newer git reads attributes of `HEAD` in a bare repository, and none may count. */
async function makeWhenEmpty(place: GitPlace): Promise<void> {
  if ((await readdir(place.gitDir)).length > 0) {
    await requireBareRepository(place);
    return;
  }
  await gitVerb(place, ['init', '--quiet', '--bare', '--template=', '--initial-branch=never-born']);
}

async function requireBareRepository(place: GitPlace): Promise<void> {
  const { stdout } = await runGit(place, { args: ['rev-parse', '--is-bare-repository'], answers: [128] });
  if (stdout.toString('utf8').trim() === 'true') return;
  throw new BotError(
    'invariant-broken',
    'The git directory of a run is not a bare repository. Remove it to start afresh.',
  );
}
