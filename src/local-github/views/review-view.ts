import { authorAssociation } from './author-association.ts';
import { issuePageUrl, reactionRollup } from './issue-view.ts';
import { repositoryUrl } from './repository-view.ts';
import { nodeId, timestamp } from './schema.ts';
import { userView } from './user-view.ts';
import type { Schema } from './schema.ts';
import type { PullRequest, Repository, Review, ReviewComment } from '../state/records.ts';
import type { Site } from '../state/site.ts';

interface ReviewOfPull {
  readonly pull: PullRequest;
  readonly review: Review;
}

export type ReviewView = Schema<'pull-request-review'> & { submitted_at: string; commit_id: string };

export function reviewView(site: Site, repository: Repository, { pull, review }: ReviewOfPull): ReviewView {
  const pullUrl = `${repositoryUrl(site, repository)}/pulls/${pull.number}`;
  const page = `${issuePageUrl(site, repository, pull)}#pullrequestreview-${review.id}`;
  return {
    id: review.id,
    node_id: nodeId('PullRequestReview', review.id),
    user: userView(site, review.author),
    body: review.body,
    state: review.state,
    html_url: page,
    pull_request_url: pullUrl,
    author_association: authorAssociation(repository, review.author),
    _links: { html: { href: page }, pull_request: { href: pullUrl } },
    submitted_at: timestamp(review.submittedAt),
    commit_id: review.commitSha,
  };
}

interface CommentOfPull {
  readonly pull: PullRequest;
  readonly comment: ReviewComment;
}

export type ReviewCommentView = Schema<'pull-request-review-comment'> & { reactions: Schema<'reaction-rollup'> };

export function reviewCommentView(
  site: Site,
  repository: Repository,
  { pull, comment }: CommentOfPull,
): ReviewCommentView {
  const pullUrl = `${repositoryUrl(site, repository)}/pulls/${pull.number}`;
  const url = `${repositoryUrl(site, repository)}/pulls/comments/${comment.id}`;
  const page = `${issuePageUrl(site, repository, pull)}#discussion_r${comment.id}`;
  return {
    id: comment.id,
    node_id: nodeId('PullRequestReviewComment', comment.id),
    url,
    html_url: page,
    pull_request_url: pullUrl,
    pull_request_review_id: comment.reviewId,
    ...(comment.inReplyTo !== null && { in_reply_to_id: comment.inReplyTo }),
    user: userView(site, comment.author),
    author_association: authorAssociation(repository, comment.author),
    body: comment.body,
    path: comment.path,
    diff_hunk: comment.diffHunk,
    commit_id: comment.commitSha,
    original_commit_id: comment.commitSha,
    position: 1,
    original_position: 1,
    ...(comment.line !== null && { line: comment.line, original_line: comment.line }),
    start_line: comment.startLine,
    original_start_line: comment.startLine,
    side: comment.side,
    start_side: comment.startLine === null ? null : comment.side,
    subject_type: comment.line === null ? 'file' : 'line',
    created_at: timestamp(comment.createdAt),
    updated_at: timestamp(comment.updatedAt),
    reactions: reactionRollup(comment.reactions, url),
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pullUrl } },
  };
}
