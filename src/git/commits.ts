import { stat } from 'node:fs/promises';
import { BotError } from '../domain/errors.ts';
import { toCommitId, toTreeId, type CommitId, type TreeId } from '../domain/ids.ts';
import type { TrustedPath } from '../domain/workspace.ts';
import { gitText, gitVerb, runGit, type GitPlace } from './run-git.ts';
import type { CommitRecord, NewCommit } from './git-repository.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

export async function hasCommit(place: GitPlace, commit: CommitId): Promise<boolean> {
  const { code } = await runGit(place, { args: ['cat-file', '-e', `${commit}^{commit}`], answers: [1, 128] });
  return code === 0;
}

export async function treeOf(place: GitPlace, commit: CommitId): Promise<TreeId> {
  return toTreeId(await gitText(place, { args: ['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`] }));
}

/** By plumbing: no index, no hooks, no signing, and the same input gives the same id. */
export async function commit(place: GitPlace, added: NewCommit): Promise<CommitId> {
  // Without the @, git takes a small number for a year.
  const date = `@${Math.floor(added.date.getTime() / 1000)} +0000`;
  const { name, email } = added.identity;
  const id = await gitText(place, {
    args: ['commit-tree', added.tree, '-p', added.parent, '-F', '-'],
    input: added.message,
    env: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: date,
    },
  });
  return toCommitId(id);
}

export async function listCommits(
  place: GitPlace,
  range: { readonly base: CommitId; readonly head: CommitId },
): Promise<readonly CommitRecord[]> {
  const { stdout } = await runGit(place, {
    args: ['log', '-z', '--first-parent', '--reverse', '--format=%H%n%T%n%at%n%B', range.head, `^${range.base}`, '--'],
  });
  const records = stdout.toString('utf8').split('\0');
  return records.filter((record) => record !== '').map(parseCommitRecord);
}

function parseCommitRecord(record: string): CommitRecord {
  const [commit = '', tree = '', seconds = '', ...message] = record.split('\n');
  return {
    commit: toCommitId(commit),
    tree: toTreeId(tree),
    date: new Date(Number(seconds) * 1000),
    message: message.join('\n'),
  };
}

export async function bundle(place: GitPlace, file: TrustedPath): Promise<number> {
  const refs = await gitText(place, { args: ['for-each-ref', '--count=1', '--format=%(refname)'] });
  if (refs === '')
    throw new BotError('repository-empty', 'There is nothing to back up: the repository has no branch yet.');
  await gitVerb(place, ['bundle', 'create', '--quiet', file, '--all']);
  return (await stat(file)).size;
}

/** A year back from the commit itself, not from today: the same commit always gives the same figures. */
export async function churn(place: GitPlace, commit: CommitId): Promise<Readonly<Record<string, number>>> {
  const committed = Number(await gitText(place, { args: ['show', '-s', '--format=%ct', commit, '--'] }));
  const { stdout } = await runGit(place, {
    args: [
      'log',
      '-z',
      '--name-only',
      '--no-renames',
      '--no-merges',
      '--format=',
      `--since=@${committed - YEAR_SECONDS}`,
      commit,
      '--',
    ],
  });
  const counts = new Map<string, number>();
  for (const path of stdout.toString('utf8').split('\0')) {
    if (path !== '') counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
