import type { BatchId, CommitId } from '../../domain/ids.ts';
import type { Checkpoint } from '../../domain/checkpoint.ts';
import type { GitRepository, Remote } from '../../git/git-repository.ts';

export interface Rebuilt {
  /** The checkpoints after the dropped one that still apply, with their new commits. */
  readonly moved: readonly Checkpoint[];
  /** Those that do not apply without it: dropped too. */
  readonly notApplicable: readonly BatchId[];
}

/**
 * The branch without one checkpoint: what came after it is put on again as it was (same message, same date), and the result pushed
 * over the old head, with lease. Doing it again gives the same commits.
 */
export async function rebuildBranch(request: {
  readonly git: GitRepository;
  readonly parent: CommitId;
  readonly dropped: Checkpoint;
  readonly later: readonly Checkpoint[];
  readonly push: { readonly remote: Remote; readonly branch: string; readonly expected: CommitId | null };
  readonly identity: { readonly name: string; readonly email: string };
  readonly signal: AbortSignal;
}): Promise<Rebuilt> {
  const { git, dropped, later } = request;
  const moved: Checkpoint[] = [];
  const notApplicable: BatchId[] = [];
  const head = later.at(-1)?.commit ?? dropped.commit;
  const onBranch = await git.listCommits({ base: request.parent, head });
  const originals = new Map(onBranch.map((record) => [record.commit, record]));
  let parent = request.parent;
  let before = dropped;
  for (const checkpoint of later) {
    const change = await git.diff(before.tree, checkpoint.tree);
    before = checkpoint;
    const applied = await git.apply(await git.treeOf(parent), change.text);
    if ('problem' in applied) {
      notApplicable.push(checkpoint.batch);
      continue;
    }
    const original = originals.get(checkpoint.commit);
    if (original === undefined) throw new RangeError(`The checkpoint ${checkpoint.commit} is not on the branch.`);
    const { message, date } = original;
    const commit = await git.commit({ tree: applied.tree, parent, message, date, identity: request.identity });
    moved.push({ ...checkpoint, commit, tree: applied.tree });
    parent = commit;
  }
  const { remote, branch, expected } = request.push;
  await git.push(remote, { branch, commit: parent, expected }, request.signal);
  return { moved, notApplicable };
}
