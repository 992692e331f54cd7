import { authorise, authoriseOwnOr } from './authorise.ts';
import { checkFilledBody } from './check-text.ts';
import type { Comment, Issue, Repository } from '../state/records.ts';
import type { Actor, Site } from '../state/site.ts';
import { announceComment } from '../webhooks/announce.ts';

interface NewComment {
  readonly repository: Repository;
  readonly issue: Issue;
  readonly body: string;
}

/** Comments on an issue or in the conversation of a pull request. */
export function createComment(site: Site, actor: Actor, { repository, issue, body }: NewComment): Comment {
  const author = authorise(actor, repository, 'comment');
  checkFilledBody('IssueComment', body);
  const now = site.now();
  const comment: Comment = {
    id: site.nextId(),
    author: author.user,
    viaApp: author.kind === 'installation',
    body,
    reactions: [],
    createdAt: now,
    updatedAt: now,
  };
  issue.comments.push(comment);
  issue.updatedAt = now;
  announceComment(site, { repository, sender: author.user }, { issue, comment, action: 'created' });
  return comment;
}

interface ExistingComment {
  readonly repository: Repository;
  readonly issue: Issue;
  readonly comment: Comment;
}

/** Edits a comment: one's own, or anybody's with write access. */
export function updateComment(site: Site, actor: Actor, input: ExistingComment & { readonly body: string }): Comment {
  const { repository, issue, comment, body } = input;
  const { user } = authoriseOwnOr(actor, repository, { author: comment.author, access: 'moderate comments' });
  checkFilledBody('IssueComment', body);
  const extra = { changes: { body: { from: comment.body } } };
  comment.body = body;
  comment.updatedAt = site.now();
  announceComment(site, { repository, sender: user }, { issue, comment, action: 'edited', extra });
  return comment;
}

export function deleteComment(site: Site, actor: Actor, { repository, issue, comment }: ExistingComment): void {
  const { user } = authoriseOwnOr(actor, repository, { author: comment.author, access: 'moderate comments' });
  issue.comments.splice(issue.comments.indexOf(comment), 1);
  announceComment(site, { repository, sender: user }, { issue, comment, action: 'deleted' });
}
