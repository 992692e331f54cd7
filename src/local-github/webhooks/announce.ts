import { checkRunWebhookView } from '../views/check-run-view.ts';
import { commentView, issueView, labelView } from '../views/issue-view.ts';
import { pullSimpleView, pullView } from '../views/pull-view.ts';
import { repositoryView } from '../views/repository-view.ts';
import { reviewCommentView, reviewView } from '../views/review-view.ts';
import { nodeId } from '../views/schema.ts';
import { organizationView, userView } from '../views/user-view.ts';
import { isPullRequest } from '../state/find-records.ts';
import type {
  CheckRun,
  Comment,
  Issue,
  Label,
  PullRequest,
  Repository,
  Review,
  ReviewComment,
  User,
} from '../state/records.ts';
import type { Site } from '../state/site.ts';

/** Something that happened in a repository, by somebody. */
export interface Occasion {
  readonly repository: Repository;
  readonly sender: User;
}

/** Details that only some actions of an event have, such as `changes` of `edited`. */
type Extra = Readonly<Record<string, unknown>>;

interface Event {
  readonly event: string;
  readonly action: string | null;
  readonly body: Extra;
}

/** Queues a repository's event, if the app subscribed to it, with the parts that every such payload has. */
export function announce(site: Site, { repository, sender }: Occasion, { event, action, body }: Event): void {
  if (!site.app.events.includes(event)) return;
  const { installation, owner } = repository;
  const payload = {
    ...(action !== null && { action }),
    ...body,
    repository: repositoryView(site, repository),
    ...(owner.type === 'Organization' && { organization: organizationView(site, owner) }),
    sender: userView(site, sender),
    installation: { id: installation.id, node_id: nodeId('Installation', installation.id) },
  };
  site.webhooks.enqueue({ event, action, payload, installationId: installation.id, repositoryId: repository.id });
}

interface IssueChange {
  readonly issue: Issue;
  readonly action: string;
  readonly label?: Label;
  readonly extra?: Extra;
}

/** `issues.*`, or `pull_request.*` when the issue is a pull request. */
export async function announceIssue(site: Site, occasion: Occasion, change: IssueChange): Promise<void> {
  const { issue, action, label } = change;
  const { repository } = occasion;
  const extra = { ...change.extra, ...(label && { label: labelView(site, repository, label) }) };
  if (isPullRequest(issue)) {
    await announcePullRequest(site, occasion, { request: issue, action, extra });
    return;
  }
  announce(site, occasion, { event: 'issues', action, body: { issue: issueView(site, repository, issue), ...extra } });
}

interface PullRequestChange {
  readonly request: PullRequest;
  readonly action: string;
  readonly extra?: Extra;
}

export async function announcePullRequest(site: Site, occasion: Occasion, change: PullRequestChange): Promise<void> {
  const { request, action, extra } = change;
  const view = await pullView(site, occasion.repository, { request, mergeable: null });
  announce(site, occasion, {
    event: 'pull_request',
    action,
    body: { number: request.number, pull_request: view, ...extra },
  });
}

interface CommentChange {
  readonly issue: Issue;
  readonly comment: Comment;
  readonly action: 'created' | 'edited' | 'deleted';
  readonly extra?: Extra;
}

export function announceComment(site: Site, occasion: Occasion, change: CommentChange): void {
  const { issue, comment, action, extra } = change;
  const { repository } = occasion;
  const body = {
    issue: issueView(site, repository, issue),
    comment: commentView(site, repository, { issue, comment }),
    ...extra,
  };
  announce(site, occasion, { event: 'issue_comment', action, body });
}

export function announceReview(
  site: Site,
  occasion: Occasion,
  { pull, review }: { pull: PullRequest; review: Review },
): void {
  const { repository } = occasion;
  const view = reviewView(site, repository, { pull, review });
  const body = {
    // Payloads write the state in lower case, the REST API in upper case.
    review: { ...view, state: review.state.toLowerCase(), body: review.body === '' ? null : review.body },
    pull_request: pullSimpleView(site, repository, pull),
  };
  announce(site, occasion, { event: 'pull_request_review', action: 'submitted', body });
}

interface ReviewCommentChange {
  readonly pull: PullRequest;
  readonly comment: ReviewComment;
}

export function announceReviewComment(site: Site, occasion: Occasion, { pull, comment }: ReviewCommentChange): void {
  const { repository } = occasion;
  const body = {
    comment: reviewCommentView(site, repository, { pull, comment }),
    pull_request: pullSimpleView(site, repository, pull),
  };
  announce(site, occasion, { event: 'pull_request_review_comment', action: 'created', body });
}

interface CheckRunChange {
  readonly run: CheckRun;
  readonly action: 'created' | 'completed' | 'rerequested' | 'requested_action';
  readonly extra?: Extra;
}

export function announceCheckRun(site: Site, occasion: Occasion, { run, action, extra }: CheckRunChange): void {
  const body = { check_run: checkRunWebhookView(site, occasion.repository, run), ...extra };
  announce(site, occasion, { event: 'check_run', action, body });
}
