import { authorAssociation } from './author-association.ts';
import { repositoryPageUrl, repositoryUrl } from './repository-view.ts';
import { nodeId, timestamp } from './schema.ts';
import { appView, userView } from './user-view.ts';
import type { Schema } from './schema.ts';
import type { Comment, Issue, Label, Reaction, ReactionContent, Repository } from '../state/records.ts';
import type { Site } from '../state/site.ts';

export function labelView(site: Site, repository: Repository, label: Label): Schema<'label'> {
  return {
    id: label.id,
    node_id: nodeId('Label', label.id),
    url: `${repositoryUrl(site, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: false,
    description: label.description,
  };
}

export function reactionView(site: Site, reaction: Reaction): Schema<'reaction'> {
  const { id, user, content, createdAt } = reaction;
  return { id, node_id: nodeId('Reaction', id), user: userView(site, user), content, created_at: timestamp(createdAt) };
}

/** The counts, with the address of the list below what was reacted to. */
export function reactionRollup(reactions: readonly Reaction[], subjectUrl: string): Schema<'reaction-rollup'> {
  const count = (content: ReactionContent) => reactions.filter((reaction) => reaction.content === content).length;
  return {
    url: `${subjectUrl}/reactions`,
    total_count: reactions.length,
    '+1': count('+1'),
    '-1': count('-1'),
    laugh: count('laugh'),
    hooray: count('hooray'),
    confused: count('confused'),
    heart: count('heart'),
    rocket: count('rocket'),
    eyes: count('eyes'),
  };
}

export type IssueView = Schema<'issue'> & { state: 'open' | 'closed'; labels: Schema<'label'>[] };

export function issueView(site: Site, repository: Repository, issue: Issue): IssueView {
  const url = `${repositoryUrl(site, repository)}/issues/${issue.number}`;
  return {
    id: issue.id,
    node_id: nodeId('Issue', issue.id),
    url,
    repository_url: repositoryUrl(site, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: issuePageUrl(site, repository, issue),
    number: issue.number,
    state: issue.state,
    state_reason: issue.stateReason,
    title: issue.title,
    body: issue.body,
    user: userView(site, issue.author),
    author_association: authorAssociation(repository, issue.author),
    labels: issue.labels.map((label) => labelView(site, repository, label)),
    assignee: null,
    assignees: [],
    milestone: null,
    locked: false,
    active_lock_reason: null,
    comments: issue.comments.length,
    created_at: timestamp(issue.createdAt),
    updated_at: timestamp(issue.updatedAt),
    closed_at: issue.closedAt && timestamp(issue.closedAt),
    closed_by: issue.closedBy && userView(site, issue.closedBy),
    performed_via_github_app: issue.viaApp ? appView(site) : null,
    reactions: reactionRollup(issue.reactions, url),
    ...(issue.pull && { draft: issue.pull.draft, pull_request: pullRequestLinks(site, repository, issue) }),
  };
}

export function issuePageUrl(site: Site, repository: Repository, issue: Issue): string {
  return `${repositoryPageUrl(site, repository)}/${issue.pull ? 'pull' : 'issues'}/${issue.number}`;
}

function pullRequestLinks(
  site: Site,
  repository: Repository,
  issue: Issue,
): NonNullable<Schema<'issue'>['pull_request']> {
  const page = issuePageUrl(site, repository, issue);
  return {
    url: `${repositoryUrl(site, repository)}/pulls/${issue.number}`,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    merged_at: issue.pull?.mergedAt ? timestamp(issue.pull.mergedAt) : null,
  };
}

interface CommentOfIssue {
  readonly issue: Issue;
  readonly comment: Comment;
}

export function commentView(
  site: Site,
  repository: Repository,
  { issue, comment }: CommentOfIssue,
): Schema<'issue-comment'> {
  const url = `${repositoryUrl(site, repository)}/issues/comments/${comment.id}`;
  return {
    id: comment.id,
    node_id: nodeId('IssueComment', comment.id),
    url,
    html_url: `${issuePageUrl(site, repository, issue)}#issuecomment-${comment.id}`,
    issue_url: `${repositoryUrl(site, repository)}/issues/${issue.number}`,
    body: comment.body,
    user: userView(site, comment.author),
    author_association: authorAssociation(repository, comment.author),
    created_at: timestamp(comment.createdAt),
    updated_at: timestamp(comment.updatedAt),
    performed_via_github_app: comment.viaApp ? appView(site) : null,
    reactions: reactionRollup(comment.reactions, url),
  };
}
