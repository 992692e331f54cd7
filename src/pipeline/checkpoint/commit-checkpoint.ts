import type { Checkpoint } from '../../domain/checkpoint.ts';
import type { CommitId, TreeId } from '../../domain/ids.ts';
import type { DiffStat } from '../../domain/patch.ts';
import type { GitRepository, NewCommit, Remote } from '../../git/git-repository.ts';
import { renderCommitMessage, type CheckpointFacts } from './commit-message.ts';

export interface CheckpointRequest {
  readonly git: Pick<GitRepository, 'commit' | 'push'>;
  readonly remote: Remote;
  readonly branch: string;
  /** Where the branch is on the remote now; null when it is not there yet. */
  readonly expected: CommitId | null;
  readonly parent: CommitId;
  readonly tree: TreeId;
  readonly stat: DiffStat;
  readonly facts: CheckpointFacts;
  readonly committer: NewCommit['identity'];
  /** Recorded by an earlier step: together with the facts it makes the commit's id. */
  readonly date: Date;
}

/** Commits what a batch left and pushes it. Doing it again gives the same commit, and pushes nothing when it is there. */
export async function commitCheckpoint(request: CheckpointRequest, signal: AbortSignal): Promise<Checkpoint> {
  const { git, facts, tree, stat, parent, committer, date } = request;
  const message = renderCommitMessage(facts);
  const commit = await git.commit({ tree, parent, message, identity: committer, date });
  await git.push(request.remote, { branch: request.branch, commit, expected: request.expected }, signal);
  const { attempt, proofs, figuresBefore, figuresAfter } = facts;
  return { batch: facts.batch.id, commit, tree, attempt, stat, proofs, figuresBefore, figuresAfter };
}
