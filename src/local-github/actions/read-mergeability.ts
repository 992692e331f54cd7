import { mergeTrees } from '../git/merge.ts';
import { branchSha } from '../git/refs.ts';
import type { PullRequest, Repository } from '../state/records.ts';

/**
 * Whether the pull request could be merged without conflicts. The first question after a change gets null and starts
 * the work, as on GitHub; the next one gets the answer.
 */
export async function readMergeability(repository: Repository, { state, pull }: PullRequest): Promise<boolean | null> {
  if (state === 'closed') return null;
  if (pull.mergeability.state === 'known') return pull.mergeability.result;
  const result = computeMergeability(repository, { head: pull.head.sha, base: pull.base.ref });
  // A failure belongs to the question that waits for the answer, not to this one.
  result.catch(() => {});
  pull.mergeability = { state: 'known', result };
  return null;
}

async function computeMergeability(
  repository: Repository,
  { head, base }: { head: string; base: string },
): Promise<boolean> {
  const tip = await branchSha(repository.directory, base);
  return tip !== null && (await mergeTrees(repository.directory, tip, head)) !== null;
}
