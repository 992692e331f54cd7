import { BotError } from '../domain/errors.ts';
import { fullName } from '../domain/repository.ts';
import { acceptRun } from '../runs/accept-run.ts';
import { rejectRun } from '../runs/reject-run.ts';
import type { Delivery, DeliveryPorts, HandledAs } from './delivery.ts';
import type { PullRequestClosed } from './payloads.ts';

/**
 * `pull_request.closed`: merged is accept, unmerged is reject. Who may merge or close is GitHub's to decide, so nobody's permission
 * is asked again, and a merge by a bot (a merge queue) counts as much as a person's.
 */
export async function onPullRequestClosed(
  { store }: DeliveryPorts,
  delivery: Delivery,
  { pull_request: pull }: PullRequestClosed,
): Promise<HandledAs> {
  const repository = fullName(delivery.repository);
  // A fork can hold a branch of the same name.
  if (pull.head.repo !== null && pull.head.repo.full_name.toLowerCase() !== repository.toLowerCase())
    return 'ignored: from a fork';
  const run = await store.runOfBranch(repository, pull.head.ref);
  if (run === null || (run.pullRequest !== null && run.pullRequest !== pull.number))
    return 'ignored: not our pull request';
  const by = delivery.sender.login;
  const settled = pull.merged
    ? await acceptRun(store, run.id, { by, mergeCommit: pull.merge_commit_sha ?? null })
    : await rejectRun(store, run.id, { by, words: '' });
  if (!settled && run.state === 'finalizing') {
    throw new BotError(
      'not-recorded-yet',
      `Pull request ${pull.number} was closed while run ${run.id} still records that it opened it.`,
    );
  }
  if (!settled) return `ignored: ${run.id} is not in review`;
  return `${pull.merged ? 'accepted' : 'rejected'} ${run.id}`;
}
