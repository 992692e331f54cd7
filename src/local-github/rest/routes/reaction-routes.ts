import { z } from 'zod';
import { addReaction, removeReaction } from '../../actions/react.ts';
import { findComment, findIssue, findReviewComment } from '../../state/find-records.ts';
import type { Reaction } from '../../state/records.ts';
import { reactionView } from '../../views/issue-view.ts';
import { listReply, noContent, numberParam, readBody, repositoryRoute } from '../route.ts';
import type { RepositoryCall, Route } from '../route.ts';

const newReaction = z.object({
  content: z.enum(['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes']),
});

type FindReactions = (call: RepositoryCall) => Reaction[];

export const reactionRoutes: readonly Route[] = [
  ...reactionsAt(
    '/issues/comments/:comment_id',
    (call) => findComment(call.repository, numberParam(call, 'comment_id')).comment.reactions,
  ),
  ...reactionsAt(
    '/pulls/comments/:comment_id',
    (call) => findReviewComment(call.repository, numberParam(call, 'comment_id')).comment.reactions,
  ),
  ...reactionsAt(
    '/issues/:issue_number',
    (call) => findIssue(call.repository, numberParam(call, 'issue_number')).reactions,
  ),
];

function reactionsAt(subject: string, find: FindReactions): readonly Route[] {
  return [
    repositoryRoute('GET', { pattern: `${subject}/reactions`, access: 'see issues' }, (call) => {
      const content = call.query.get('content');
      const reactions = find(call).filter((reaction) => content === null || reaction.content === content);
      return listReply(call, reactions, (reaction) => reactionView(call.site, reaction));
    }),
    repositoryRoute('POST', { pattern: `${subject}/reactions` }, (call) => {
      const { site, actor, repository } = call;
      const { content } = readBody(call, newReaction);
      const { reaction, isNew } = addReaction(site, actor, { repository, reactions: find(call), content });
      return { status: isNew ? 201 : 200, body: reactionView(site, reaction) };
    }),
    repositoryRoute('DELETE', { pattern: `${subject}/reactions/:reaction_id` }, (call) => {
      const { actor, repository } = call;
      removeReaction(actor, { repository, reactions: find(call), id: numberParam(call, 'reaction_id') });
      return noContent;
    }),
  ];
}
