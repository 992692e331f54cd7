import { closeIssuesOf } from './close-linked-issues.ts';
import { recordMerge } from './record-merge.ts';
import { closeIssue } from './update-issue.ts';
import { readCommits } from '../git/objects.ts';
import { branchSha, commitsBetween, isAncestor, listRefs, writeRef, zeroSha } from '../git/refs.ts';
import type { RefChange } from '../git/refs.ts';
import { pullRequestsOf } from '../state/find-records.ts';
import type { PullRequest, Repository } from '../state/records.ts';
import type { Site } from '../state/site.ts';
import { announcePullRequest } from '../webhooks/announce.ts';
import type { Occasion } from '../webhooks/announce.ts';
import { announceRefChange } from '../webhooks/announce-push.ts';

/** Lets everything follow refs that have moved, whoever moved them: events, pull requests, issues that commits close. */
export async function recordRefChanges(site: Site, occasion: Occasion, changes: readonly RefChange[]): Promise<void> {
  const { repository } = occasion;
  for (const change of changes) {
    repository.pushedAt = site.now();
    await announceRefChange(site, occasion, change);
    const branch = /^refs\/heads\/(.*)$/s.exec(change.name)?.[1];
    if (branch === undefined) continue;
    await followHead(site, occasion, { branch, change });
    await followBase(site, occasion, { branch, change });
    if (branch === repository.defaultBranch) await closeByCommits(site, occasion, change);
  }
}

interface BranchChange {
  readonly branch: string;
  readonly change: RefChange;
}

/** A pull request's head follows its branch, and is closed with it. */
async function followHead(site: Site, occasion: Occasion, { branch, change }: BranchChange): Promise<void> {
  const { before, after } = change;
  for (const request of openPullRequests(occasion.repository, (candidate) => candidate.pull.head.ref === branch)) {
    if (after === zeroSha) {
      const at = site.now();
      request.timeline.push({ kind: 'branch-deleted', branch, at, actor: occasion.sender });
      await closeIssue(site, occasion, { issue: request, reason: null });
      continue;
    }
    const { pull } = request;
    pull.head.sha = after;
    pull.base.sha = (await branchSha(occasion.repository.directory, pull.base.ref)) ?? pull.base.sha;
    pull.mergeability = { state: 'unknown' };
    const at = site.now();
    request.updatedAt = at;
    request.timeline.push({ kind: 'pushed', before, after, at, actor: occasion.sender });
    await keepHead(occasion.repository, request);
    await announcePullRequest(site, occasion, { request, action: 'synchronize', extra: { before, after } });
  }
}

/** A pushed base may hold the head by now: then the pull request counts as merged. */
async function followBase(site: Site, occasion: Occasion, { branch, change }: BranchChange): Promise<void> {
  for (const request of openPullRequests(occasion.repository, (candidate) => candidate.pull.base.ref === branch)) {
    const { pull } = request;
    pull.mergeability = { state: 'unknown' };
    if (change.after === zeroSha) {
      await closeIssue(site, occasion, { issue: request, reason: null });
    } else if (await isAncestor(occasion.repository.directory, pull.head.sha, change.after)) {
      await recordMerge(site, occasion, { request, sha: change.after });
    }
  }
}

async function closeByCommits(site: Site, occasion: Occasion, { before, after }: RefChange): Promise<void> {
  // The first push of a default branch is history, not news.
  if (before === zeroSha || after === zeroSha) return;
  const { directory } = occasion.repository;
  const commits = await readCommits(directory, await commitsBetween(directory, before, after));
  for (const { message } of commits) await closeIssuesOf(site, occasion, message);
}

function openPullRequests(repository: Repository, matches: (request: PullRequest) => boolean): PullRequest[] {
  return pullRequestsOf(repository).filter((request) => request.state === 'open' && matches(request));
}

/** `refs/pull/<n>/head` outlives the branch, so that a closed pull request keeps its commits. */
export async function keepHead(repository: Repository, { number, pull }: PullRequest): Promise<void> {
  const name = `refs/pull/${number}/head`;
  const [ref] = await listRefs(repository.directory, [name]);
  const before = ref?.sha ?? zeroSha;
  if (before !== pull.head.sha) await writeRef(repository.directory, { name, before, after: pull.head.sha });
}
