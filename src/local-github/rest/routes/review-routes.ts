import { z } from 'zod';
import { createReview, createReviewComment, replyToReviewComment } from '../../actions/review.ts';
import { findPullRequest, findReviewComment, pullRequestsOf } from '../../state/find-records.ts';
import type { PullRequest } from '../../state/records.ts';
import { isRefusal, notFound, refusal } from '../../state/refusal.ts';
import { reviewCommentView, reviewView } from '../../views/review-view.ts';
import { created, listReply, numberParam, ok, readBody, repositoryRoute } from '../route.ts';
import type { Reply, RepositoryCall, Route } from '../route.ts';

const side = z.enum(['LEFT', 'RIGHT']).optional();
const reviewComment = z
  .object({ path: z.string(), body: z.string(), line: z.number().optional(), start_line: z.number().nullish(), side })
  .transform(({ start_line: startLine, ...comment }) => ({ ...comment, startLine: startLine ?? undefined }));
const newReview = z.object({
  body: z.string().optional(),
  // Without an event GitHub keeps a pending review, seen by its author alone; nobody here needs one.
  event: z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']),
  comments: z.array(reviewComment).optional(),
});
const reply = z.object({ body: z.string(), in_reply_to: z.number() });
const replyBody = z.object({ body: z.string() });

const states = { APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED', COMMENT: 'COMMENTED' } as const;

export const reviewRoutes: readonly Route[] = [
  repositoryRoute('GET', { pattern: '/pulls/:pull_number/reviews', access: 'see pull requests' }, (call) => {
    const pull = pullOf(call);
    return listReply(call, pull.pull.reviews, (review) => reviewView(call.site, call.repository, { pull, review }));
  }),
  repositoryRoute('POST', { pattern: '/pulls/:pull_number/reviews' }, async (call) => {
    const { site, actor, repository } = call;
    const { event, body, comments } = readBody(call, newReview);
    const pull = pullOf(call);
    const input = { repository, pull, state: states[event], body, comments };
    const review = await createReview(site, actor, input).catch(rethrowInSentences);
    return ok(reviewView(site, repository, { pull, review }));
  }),
  repositoryRoute('GET', { pattern: '/pulls/:pull_number/reviews/:review_id', access: 'see pull requests' }, (call) => {
    const pull = pullOf(call);
    const review = pull.pull.reviews.find((candidate) => candidate.id === numberParam(call, 'review_id'));
    if (!review) throw notFound();
    return ok(reviewView(call.site, call.repository, { pull, review }));
  }),
  repositoryRoute('GET', { pattern: '/pulls/comments', access: 'see pull requests' }, (call) =>
    listComments(call, pullRequestsOf(call.repository)),
  ),
  repositoryRoute('GET', { pattern: '/pulls/comments/:comment_id', access: 'see pull requests' }, (call) =>
    ok(
      reviewCommentView(
        call.site,
        call.repository,
        findReviewComment(call.repository, numberParam(call, 'comment_id')),
      ),
    ),
  ),
  repositoryRoute('GET', { pattern: '/pulls/:pull_number/comments', access: 'see pull requests' }, (call) =>
    listComments(call, [pullOf(call)]),
  ),
  repositoryRoute('POST', { pattern: '/pulls/:pull_number/comments' }, async (call) => {
    const { site, actor, repository } = call;
    const pull = pullOf(call);
    const isReply = reply.safeParse(call.body);
    if (isReply.success) return replyReply(call, isReply.data.in_reply_to);
    const comment = await createReviewComment(site, actor, {
      repository,
      pull,
      comment: readBody(call, reviewComment),
    });
    return created(reviewCommentView(site, repository, { pull, comment }));
  }),
  repositoryRoute('POST', { pattern: '/pulls/:pull_number/comments/:comment_id/replies' }, (call) =>
    replyReply(call, numberParam(call, 'comment_id')),
  ),
];

/** This endpoint's 422 lists sentences where the others list objects. */
function rethrowInSentences(error: unknown): never {
  if (!isRefusal(error) || !error.errors) throw error;
  const sentences = error.errors.map((failure) =>
    typeof failure === 'string'
      ? failure
      : (failure.message ?? `${failure.field ?? failure.resource} is ${failure.code}`),
  );
  throw refusal(error.status, 'Unprocessable Entity', { errors: sentences });
}

function pullOf(call: RepositoryCall): PullRequest {
  return findPullRequest(call.repository, numberParam(call, 'pull_number'));
}

function replyReply(call: RepositoryCall, id: number): Reply {
  const { site, actor, repository } = call;
  const pull = pullOf(call);
  const to = pull.pull.reviewComments.find((comment) => comment.id === id);
  if (!to) throw notFound();
  const comment = replyToReviewComment(site, actor, { repository, pull, to, ...readBody(call, replyBody) });
  return created(reviewCommentView(site, repository, { pull, comment }));
}

function listComments(call: RepositoryCall, pulls: readonly PullRequest[]): Reply {
  const found = pulls.flatMap((pull) => pull.pull.reviewComments.map((comment) => ({ pull, comment })));
  return listReply(call, found, (item) => reviewCommentView(call.site, call.repository, item));
}
