import { addLabels, removeLabel } from '../../actions/change-labels.ts';
import { createComment } from '../../actions/comment.ts';
import { createIssue } from '../../actions/create-issue.ts';
import { addReaction, removeReaction } from '../../actions/react.ts';
import { updateIssue } from '../../actions/update-issue.ts';
import { updatePullRequest } from '../../actions/update-pull-request.ts';
import { findComment, findIssue, isPullRequest } from '../../state/find-records.ts';
import type { Issue, Reaction, Repository } from '../../state/records.ts';
import { refusal } from '../../state/refusal.ts';
import { isReactionContent } from '../parts/reactions.ts';
import type { RepositoryForm } from './repository-form.ts';

export async function openIssue({ view, fields }: RepositoryForm): Promise<string> {
  const { site, actor, repository } = view;
  const issue = await createIssue(site, actor, {
    repository,
    title: fields.get('title') ?? '',
    body: text(fields, 'body'),
  });
  return issuePath(repository, issue);
}

/** Comments, closes or reopens, or comments and then closes or reopens, as the pressed button says. */
export async function submitComment({ view, fields, id }: RepositoryForm): Promise<string> {
  const { site, actor, repository } = view;
  const issue = findIssue(repository, id);
  const body = text(fields, 'body');
  const pressed = fields.get('state');
  const state = pressed === 'closed' || pressed === 'open' ? pressed : undefined;
  const comment =
    body.trim() === '' && state !== undefined ? null : createComment(site, actor, { repository, issue, body });
  if (state !== undefined) {
    await (isPullRequest(issue)
      ? updatePullRequest(site, actor, { repository, request: issue, state })
      : updateIssue(site, actor, { repository, issue, state }));
  }
  return issuePath(repository, issue) + (comment ? `#issuecomment-${comment.id}` : '');
}

export async function changeLabels({ view, fields, id }: RepositoryForm): Promise<string> {
  const { site, actor, repository } = view;
  const issue = findIssue(repository, id);
  for (const name of fields.getAll('remove')) await removeLabel(site, actor, { repository, issue, name });
  const names = fields.getAll('add').map((name) => name.trim());
  if (names.length > 0) await addLabels(site, actor, { repository, issue, names });
  return issuePath(repository, issue);
}

export function reactToIssue(form: RepositoryForm): string {
  const issue = findIssue(form.view.repository, form.id);
  toggleReaction(form, issue.reactions);
  return issuePath(form.view.repository, issue);
}

export function reactToComment(form: RepositoryForm): string {
  const { issue, comment } = findComment(form.view.repository, form.id);
  toggleReaction(form, comment.reactions);
  return `${issuePath(form.view.repository, issue)}#issuecomment-${comment.id}`;
}

function toggleReaction({ view, fields }: RepositoryForm, reactions: Reaction[]): void {
  const { site, actor, viewer, repository } = view;
  const content = fields.get('content') ?? '';
  if (!isReactionContent(content)) throw refusal(422, 'There is no such reaction');
  const own = reactions.find((reaction) => reaction.user === viewer && reaction.content === content);
  if (own) removeReaction(actor, { repository, reactions, id: own.id });
  else addReaction(site, actor, { repository, reactions, content });
}

/** Browsers send line breaks as CR LF; GitHub stores what REST sends, which is LF. */
export function text(fields: URLSearchParams, name: string): string {
  return (fields.get(name) ?? '').replaceAll('\r\n', '\n');
}

export function issuePath(repository: Repository, { number, pull }: Issue): string {
  return `/${repository.fullName}/${pull === null ? 'issues' : 'pull'}/${number}`;
}
