import { z } from 'zod';
import { createComment, deleteComment, updateComment } from '../../actions/comment.ts';
import { findComment, findIssue } from '../../state/find-records.ts';
import type { Issue } from '../../state/records.ts';
import { commentView } from '../../views/issue-view.ts';
import { created, listReply, noContent, numberParam, ok, readBody, repositoryRoute } from '../route.ts';
import type { Reply, RepositoryCall, Route } from '../route.ts';

const commentBody = z.object({ body: z.string() });

export const commentRoutes: readonly Route[] = [
  repositoryRoute('GET', { pattern: '/issues/comments', access: 'see issues' }, (call) =>
    listComments(call, [...call.repository.issues.values()]),
  ),
  repositoryRoute('GET', { pattern: '/issues/:issue_number/comments', access: 'see issues' }, (call) =>
    listComments(call, [findIssue(call.repository, numberParam(call, 'issue_number'))]),
  ),
  repositoryRoute('POST', { pattern: '/issues/:issue_number/comments' }, (call) => {
    const { site, actor, repository } = call;
    const issue = findIssue(repository, numberParam(call, 'issue_number'));
    const comment = createComment(site, actor, { repository, issue, ...readBody(call, commentBody) });
    return created(commentView(site, repository, { issue, comment }));
  }),
  repositoryRoute('GET', { pattern: '/issues/comments/:comment_id', access: 'see issues' }, (call) =>
    ok(commentView(call.site, call.repository, findComment(call.repository, numberParam(call, 'comment_id')))),
  ),
  repositoryRoute('PATCH', { pattern: '/issues/comments/:comment_id' }, (call) => {
    const { site, actor, repository } = call;
    const found = findComment(repository, numberParam(call, 'comment_id'));
    updateComment(site, actor, { repository, ...found, ...readBody(call, commentBody) });
    return ok(commentView(site, repository, found));
  }),
  repositoryRoute('DELETE', { pattern: '/issues/comments/:comment_id' }, (call) => {
    const { site, actor, repository } = call;
    deleteComment(site, actor, { repository, ...findComment(repository, numberParam(call, 'comment_id')) });
    return noContent;
  }),
];

/** Oldest first. */
function listComments(call: RepositoryCall, issues: readonly Issue[]): Reply {
  const since = new Date(call.query.get('since') ?? 0);
  const found = issues
    .flatMap((issue) => issue.comments.map((comment) => ({ issue, comment })))
    .filter(({ comment }) => comment.updatedAt >= since)
    .toSorted((one, other) => one.comment.id - other.comment.id);
  return listReply(call, found, (item) => commentView(call.site, call.repository, item));
}
