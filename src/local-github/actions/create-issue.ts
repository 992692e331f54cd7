import { authorise } from './authorise.ts';
import { applyLabels, ensureLabel } from './change-labels.ts';
import { checkBody, checkTitle } from './check-text.ts';
import type { Issue, Pull, Repository } from '../state/records.ts';
import { isAtLeast, roleOf } from '../state/roles.ts';
import type { Actor, Author, Site } from '../state/site.ts';
import { announceIssue } from '../webhooks/announce.ts';

interface NewIssue {
  readonly repository: Repository;
  readonly title: string;
  readonly body?: string | null | undefined;
  readonly labels?: readonly string[] | undefined;
}

/** Opens an issue. Labels of somebody without triage access are left out silently, as GitHub does. */
export async function createIssue(site: Site, actor: Actor, input: NewIssue): Promise<Issue> {
  const { repository, title, labels = [] } = input;
  const author = authorise(actor, repository, 'open issue');
  checkTitle('Issue', title);
  checkBody('Issue', input.body);
  const issue = numberIssue(site, author, { repository, title, body: input.body ?? null, pull: null });
  await announceIssue(site, { repository, sender: author.user }, { issue, action: 'opened' });
  const mayLabel = author.kind === 'installation' || isAtLeast(roleOf(repository, author.user), 'triage');
  if (mayLabel) {
    const added = labels.map((name) => ensureLabel(site, repository, name));
    await applyLabels(site, { repository, sender: author.user }, { issue, labels: [...issue.labels, ...added] });
  }
  return issue;
}

interface IssueFacts {
  readonly repository: Repository;
  readonly title: string;
  readonly body: string | null;
  readonly pull: Pull | null;
}

/** Gives an issue or pull request the repository's next number. */
export function numberIssue(site: Site, author: Author, { repository, title, body, pull }: IssueFacts): Issue {
  const now = site.now();
  const issue: Issue = {
    id: site.nextId(),
    number: Math.max(0, ...repository.issues.keys()) + 1,
    title,
    body,
    pull,
    author: author.user,
    viaApp: author.kind === 'installation',
    state: 'open',
    stateReason: null,
    labels: [],
    comments: [],
    reactions: [],
    timeline: [],
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    closedBy: null,
  };
  repository.issues.set(issue.number, issue);
  return issue;
}
