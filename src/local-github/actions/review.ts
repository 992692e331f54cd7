import { authorise } from './authorise.ts';
import { checkBody, checkFilledBody } from './check-text.ts';
import { diffFiles } from '../git/diff.ts';
import { findHunk } from '../git/find-hunk.ts';
import type { PullRequest, Repository, Review, ReviewComment, User } from '../state/records.ts';
import { refusal, validationFailed } from '../state/refusal.ts';
import type { Actor, Site } from '../state/site.ts';
import { pullRange } from '../views/pull-view.ts';
import { announceReview, announceReviewComment } from '../webhooks/announce.ts';

export interface NewReviewComment {
  readonly path: string;
  readonly body: string;
  /** Left out: a comment on the whole file. */
  readonly line?: number | undefined;
  readonly startLine?: number | undefined;
  readonly side?: 'LEFT' | 'RIGHT' | undefined;
}

interface NewReview {
  readonly repository: Repository;
  readonly pull: PullRequest;
  readonly state: Review['state'];
  readonly body?: string | undefined;
  readonly comments?: readonly NewReviewComment[] | undefined;
}

/** Submits a review: one event for it and one for each of its comments. */
export async function createReview(site: Site, actor: Actor, input: NewReview): Promise<Review> {
  const { repository, pull, state, body = '', comments = [] } = input;
  const { user } = authorise(actor, repository, 'review pull request');
  checkBody('PullRequestReview', body);
  if (state !== 'COMMENTED' && user === pull.author) {
    throw refusal(422, `Can not ${state === 'APPROVED' ? 'approve' : 'request changes on'} your own pull request`);
  }
  if (state !== 'APPROVED' && body.trim() === '' && comments.length === 0) {
    throw refusal(422, 'A review that does not approve needs a body or comments');
  }
  // All comments are placed before anything is stored, so that a wrong one leaves no half review.
  const placed = await Promise.all(comments.map(async (comment) => placeComment({ repository, pull, comment })));
  return storeReview(site, { repository, pull, user, state, body, placed });
}

interface NewThread {
  readonly repository: Repository;
  readonly pull: PullRequest;
  readonly comment: NewReviewComment;
}

/** A comment on its own is a review with nothing else in it. */
export async function createReviewComment(site: Site, actor: Actor, input: NewThread): Promise<ReviewComment> {
  const { repository, pull } = input;
  const { user } = authorise(actor, repository, 'review pull request');
  const placed = [await placeComment(input)];
  storeReview(site, { repository, pull, user, state: 'COMMENTED', body: '', placed });
  return newest(pull);
}

interface Reply {
  readonly repository: Repository;
  readonly pull: PullRequest;
  readonly to: ReviewComment;
  readonly body: string;
}

/** Answers in a thread. A reply to a reply goes to the comment that began the thread. */
export function replyToReviewComment(site: Site, actor: Actor, { repository, pull, to, body }: Reply): ReviewComment {
  const { user } = authorise(actor, repository, 'review pull request');
  checkFilledBody('PullRequestReviewComment', body);
  const { path, line, startLine, side, diffHunk } = to;
  const placed = [{ path, line, startLine, side, diffHunk, body, inReplyTo: to.inReplyTo ?? to.id }];
  storeReview(site, { repository, pull, user, state: 'COMMENTED', body: '', placed });
  return newest(pull);
}

type PlacedComment = Pick<ReviewComment, 'path' | 'body' | 'line' | 'startLine' | 'side' | 'diffHunk' | 'inReplyTo'>;

interface ReviewFacts {
  readonly repository: Repository;
  readonly pull: PullRequest;
  readonly user: User;
  readonly state: Review['state'];
  readonly body: string;
  readonly placed: readonly PlacedComment[];
}

function storeReview(site: Site, { repository, pull, user, state, body, placed }: ReviewFacts): Review {
  const now = site.now();
  const commitSha = pull.pull.head.sha;
  const review: Review = { id: site.nextId(), author: user, state, body, commitSha, submittedAt: now };
  pull.pull.reviews.push(review);
  pull.updatedAt = now;
  const stored = placed.map((comment): ReviewComment => ({
    ...comment,
    id: site.nextId(),
    reviewId: review.id,
    author: user,
    commitSha,
    reactions: [],
    createdAt: now,
    updatedAt: now,
  }));
  pull.pull.reviewComments.push(...stored);
  const occasion = { repository, sender: user };
  announceReview(site, occasion, { pull, review });
  for (const comment of stored) announceReviewComment(site, occasion, { pull, comment });
  return review;
}

/** Finds the place in the diff; refuses a comment that has none. */
async function placeComment({ repository, pull, comment }: NewThread): Promise<PlacedComment> {
  const { path, body, line, startLine = null, side = 'RIGHT' } = comment;
  checkFilledBody('PullRequestReviewComment', body);
  const { excluded, head } = await pullRange(repository, pull);
  const files = await diffFiles(repository.directory, excluded, head);
  const file = files.find((candidate) => candidate.path === path || candidate.previousPath === path);
  if (!file) throw misplaced('path', 'is not part of the diff');
  const patch = file.patch ?? '';
  if (line === undefined) return { path, body, line: null, startLine: null, side, diffHunk: '', inReplyTo: null };
  const diffHunk = findHunk(patch, { side, line });
  if (diffHunk === null) throw misplaced('line', 'must be part of the diff');
  return { path, body, line, startLine, side, diffHunk, inReplyTo: null };
}

function misplaced(field: string, what: string) {
  const message = `pull_request_review_thread.${field} ${what}`;
  return validationFailed({ resource: 'PullRequestReviewComment', field, code: 'custom', message });
}

function newest({ pull }: PullRequest): ReviewComment {
  const comment = pull.reviewComments.at(-1);
  if (!comment) throw new Error('A review comment was stored and is not there');
  return comment;
}
