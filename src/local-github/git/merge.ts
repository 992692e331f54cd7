import { gitLines, runGit } from './run-git.ts';
import { readCommits, treeOf, writeCommit } from './objects.ts';
import type { Commit, Person } from './objects.ts';

/** The tree that merging `head` into `base` gives, or null when they conflict. */
export async function mergeTrees(directory: string, base: string, head: string): Promise<string | null> {
  const { code, stdout } = await runGit(directory, ['merge-tree', '--write-tree', '--no-messages', base, head], {
    answers: [1],
  });
  return code === 0 ? stdout.toString('utf8').trim() : null;
}

export interface Rebase {
  readonly base: string;
  readonly head: string;
  readonly committer: Person;
}

/** Puts the commits of `head` on top of `base` one by one, as new commits; null when one conflicts. */
export async function rebaseCommits(directory: string, { base, head, committer }: Rebase): Promise<string | null> {
  const shas = await gitLines(directory, ['rev-list', '--reverse', '--topo-order', '--no-merges', head, `^${base}`]);
  let tip = base;
  for (const commit of await readCommits(directory, shas)) {
    const tree = await cherryPickTree(directory, commit, tip);
    if (tree === null) return null;
    const { author, message } = commit;
    tip = await writeCommit(directory, { tree, parents: [tip], message, author, committer });
  }
  return tip;
}

/**
 * `merge-tree` takes a merge base of one's own choice only from git 2.40 on. Three unreferenced commits, whose merge
 * base is a stand-in for the parent of the picked commit, give the same result on 2.38.
 */
async function cherryPickTree(directory: string, commit: Commit, onto: string): Promise<string | null> {
  const nobody: Person = { name: 'merge', email: 'merge@localhost', date: new Date(0) };
  const standIn = async (tree: string, parents: readonly string[]) =>
    writeCommit(directory, { tree, parents, message: 'stand-in', author: nobody, committer: nobody });
  const [parent] = commit.parents;
  const parentTree = parent === undefined ? await emptyTree(directory) : await treeOf(directory, parent);
  const base = await standIn(parentTree, []);
  const ours = await standIn(await treeOf(directory, onto), [base]);
  const theirs = await standIn(commit.tree, [base]);
  return mergeTrees(directory, ours, theirs);
}

async function emptyTree(directory: string): Promise<string> {
  const { stdout } = await runGit(directory, ['mktree']);
  return stdout.toString('utf8').trim();
}
