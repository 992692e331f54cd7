import type { RunStore, RunSummary } from '../database/run-store.ts';
import { fullName, type RepositoryRef } from '../domain/repository.ts';

/** Where a person spoke: a request issue, or the pull request that came of it. */
export interface Place {
  readonly repository: RepositoryRef;
  readonly issueNumber: number;
}

/** Runs that were asked for there or whose pull request that is, newest first. */
export async function runsOfIssue(store: Pick<RunStore, 'runsOf'>, place: Place): Promise<readonly RunSummary[]> {
  const runs = await store.runsOf(fullName(place.repository));
  return runs.filter((run) => run.issueNumber === place.issueNumber || run.pullRequest === place.issueNumber);
}
