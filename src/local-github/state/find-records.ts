import { notFound } from './refusal.ts';
import { canSee } from './roles.ts';
import type { CheckRun, Comment, Issue, PullRequest, Repository, ReviewComment } from './records.ts';
import type { Actor, Site } from './site.ts';

// Each of these throws the 404 that GitHub answers, so that a caller always has its record.

export function findRepository(site: Site, actor: Actor, fullName: string): Repository {
  const repository = site.repositories.get(fullName.toLowerCase());
  // A private repository that one may not see looks like none at all.
  if (!repository || !canSee(actor, repository)) throw notFound();
  return repository;
}

/** An issue or a pull request: GitHub serves both as issues. */
export function findIssue(repository: Repository, number: number): Issue {
  const issue = repository.issues.get(number);
  if (!issue) throw notFound();
  return issue;
}

export function findPullRequest(repository: Repository, number: number): PullRequest {
  const issue = findIssue(repository, number);
  if (!isPullRequest(issue)) throw notFound();
  return issue;
}

export function isPullRequest(issue: Issue): issue is PullRequest {
  return issue.pull !== null;
}

export function pullRequestsOf(repository: Repository): PullRequest[] {
  return [...repository.issues.values()].filter(isPullRequest);
}

export function findComment(repository: Repository, id: number): { issue: Issue; comment: Comment } {
  for (const issue of repository.issues.values()) {
    const comment = issue.comments.find((candidate) => candidate.id === id);
    if (comment) return { issue, comment };
  }
  throw notFound();
}

export function findReviewComment(repository: Repository, id: number): { pull: PullRequest; comment: ReviewComment } {
  for (const pull of pullRequestsOf(repository)) {
    const comment = pull.pull.reviewComments.find((candidate) => candidate.id === id);
    if (comment) return { pull, comment };
  }
  throw notFound();
}

export function findCheckRun(repository: Repository, id: number): CheckRun {
  const run = repository.checkRuns.get(id);
  if (!run) throw notFound();
  return run;
}
