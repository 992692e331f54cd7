import { closeIssuesOf } from './close-linked-issues.ts';
import { closeIssue } from './update-issue.ts';
import type { PullRequest } from '../state/records.ts';
import type { Site } from '../state/site.ts';
import type { Occasion } from '../webhooks/announce.ts';

interface Merge {
  readonly request: PullRequest;
  /** The commit on the base branch that brought the pull request in. */
  readonly sha: string;
}

/** The pull request is in: say so, and close what it fixes. */
export async function recordMerge(site: Site, occasion: Occasion, { request, sha }: Merge): Promise<void> {
  const now = site.now();
  const { pull } = request;
  pull.mergedAt = now;
  pull.mergedBy = occasion.sender;
  pull.mergeCommitSha = sha;
  request.timeline.push({ kind: 'merged', sha, at: now, actor: occasion.sender });
  await closeIssue(site, occasion, { issue: request, reason: null });
  if (pull.base.ref === occasion.repository.defaultBranch) {
    await closeIssuesOf(site, occasion, request.body ?? '');
  }
}
