import { authoriseOwnOr } from './authorise.ts';
import { setLabels } from './change-labels.ts';
import { checkBody, checkTitle } from './check-text.ts';
import type { Issue, Repository } from '../state/records.ts';
import type { Actor, Site } from '../state/site.ts';
import { announceIssue } from '../webhooks/announce.ts';
import type { Occasion } from '../webhooks/announce.ts';

interface IssueUpdate {
  readonly repository: Repository;
  readonly issue: Issue;
  readonly title?: string | undefined;
  readonly body?: string | null | undefined;
  readonly state?: 'open' | 'closed' | undefined;
  readonly stateReason?: Issue['stateReason'] | undefined;
  readonly labels?: readonly string[] | undefined;
}

/** Changes an issue, or a pull request as far as it is an issue. */
export async function updateIssue(site: Site, actor: Actor, update: IssueUpdate): Promise<Issue> {
  const { repository, issue, state, labels } = update;
  const { user } = authoriseOwnOr(actor, repository, { author: issue.author, access: 'triage issues' });
  const occasion = { repository, sender: user };
  await editText(site, occasion, update);
  if (labels !== undefined) await setLabels(site, actor, { repository, issue, names: labels });
  if (state === 'closed') await closeIssue(site, occasion, { issue, reason: update.stateReason ?? 'completed' });
  if (state === 'open') await reopenIssue(site, occasion, issue);
  return issue;
}

interface Closing {
  readonly issue: Issue;
  readonly reason: Issue['stateReason'];
}

/** Closes an issue or a pull request that is open; otherwise does nothing. */
export async function closeIssue(site: Site, occasion: Occasion, { issue, reason }: Closing): Promise<void> {
  if (issue.state === 'closed') return;
  const now = site.now();
  issue.state = 'closed';
  issue.stateReason = issue.pull ? null : reason;
  issue.closedAt = now;
  issue.closedBy = occasion.sender;
  issue.updatedAt = now;
  issue.timeline.push({ kind: 'closed', at: now, actor: occasion.sender });
  await announceIssue(site, occasion, { issue, action: 'closed' });
}

export async function reopenIssue(site: Site, occasion: Occasion, issue: Issue): Promise<void> {
  if (issue.state === 'open') return;
  const now = site.now();
  issue.state = 'open';
  issue.stateReason = issue.pull ? null : 'reopened';
  issue.closedAt = null;
  issue.closedBy = null;
  issue.updatedAt = now;
  issue.timeline.push({ kind: 'reopened', at: now, actor: occasion.sender });
  await announceIssue(site, occasion, { issue, action: 'reopened' });
}

/** Sends one `edited` for both title and body, with what they were. */
export async function editText(
  site: Site,
  occasion: Occasion,
  { issue, title = issue.title, body = issue.body }: Pick<IssueUpdate, 'issue' | 'title' | 'body'>,
): Promise<void> {
  checkTitle('Issue', title);
  checkBody('Issue', body);
  const changes = {
    ...(title !== issue.title && { title: { from: issue.title } }),
    ...(body !== issue.body && { body: { from: issue.body ?? '' } }),
  };
  if (Object.keys(changes).length === 0) return;
  const now = site.now();
  if (title !== issue.title)
    issue.timeline.push({ kind: 'renamed', at: now, actor: occasion.sender, from: issue.title, to: title });
  Object.assign(issue, { title, body, updatedAt: now });
  await announceIssue(site, occasion, { issue, action: 'edited', extra: { changes } });
}
