import { authorise } from './authorise.ts';
import type { Issue, Label, Repository } from '../state/records.ts';
import { refusal, validationFailed } from '../state/refusal.ts';
import type { Actor, Site } from '../state/site.ts';
import { announceIssue } from '../webhooks/announce.ts';
import type { Occasion } from '../webhooks/announce.ts';

interface NewLabel {
  readonly repository: Repository;
  readonly name: string;
  readonly color?: string | undefined;
  readonly description?: string | null | undefined;
}

/** What GitHub gives a label for which nobody chose one. */
const defaultColor = 'ededed';

/** Defines a label of the repository. */
export function createLabel(site: Site, actor: Actor, input: NewLabel): Label {
  const { repository, name, color = defaultColor, description = null } = input;
  authorise(actor, repository, 'define labels');
  if (repository.labels.has(name.toLowerCase())) {
    throw validationFailed({ resource: 'Label', field: 'name', code: 'already_exists' });
  }
  if (!/^[\da-f]{6}$/i.test(color)) throw validationFailed({ resource: 'Label', field: 'color', code: 'invalid' });
  const label = ensureLabel(site, repository, name);
  label.color = color.toLowerCase();
  label.description = description;
  return label;
}

interface LabelsOfIssue {
  readonly repository: Repository;
  readonly issue: Issue;
  readonly names: readonly string[];
}

/** Adds labels to an issue or pull request; those that do not exist are made. Returns all it has then. */
export async function addLabels(
  site: Site,
  actor: Actor,
  { repository, issue, names }: LabelsOfIssue,
): Promise<Label[]> {
  const { user } = authorise(actor, repository, 'triage issues');
  const added = names.map((name) => ensureLabel(site, repository, name));
  return applyLabels(site, { repository, sender: user }, { issue, labels: [...issue.labels, ...added] });
}

/** Makes these the only labels of an issue or pull request. */
export async function setLabels(
  site: Site,
  actor: Actor,
  { repository, issue, names }: LabelsOfIssue,
): Promise<Label[]> {
  const { user } = authorise(actor, repository, 'triage issues');
  const labels = names.map((name) => ensureLabel(site, repository, name));
  return applyLabels(site, { repository, sender: user }, { issue, labels });
}

interface LabelOfIssue {
  readonly repository: Repository;
  readonly issue: Issue;
  readonly name: string;
}

/** Takes one label off; 404 when the issue does not have it. */
export async function removeLabel(
  site: Site,
  actor: Actor,
  { repository, issue, name }: LabelOfIssue,
): Promise<Label[]> {
  const { user } = authorise(actor, repository, 'triage issues');
  const label = repository.labels.get(name.toLowerCase());
  if (!label || !issue.labels.includes(label)) throw refusal(404, 'Label does not exist');
  const labels = issue.labels.filter((other) => other !== label);
  return applyLabels(site, { repository, sender: user }, { issue, labels });
}

/** The label of that name, made on the fly when there is none. */
export function ensureLabel(site: Site, repository: Repository, name: string): Label {
  const existing = repository.labels.get(name.toLowerCase());
  if (existing) return existing;
  if (name.trim() === '' || name.length > 50)
    throw validationFailed({ resource: 'Label', field: 'name', code: 'invalid' });
  const label: Label = { id: site.nextId(), name, color: defaultColor, description: null };
  repository.labels.set(name.toLowerCase(), label);
  return label;
}

/** One event for each label that comes or goes, each payload showing the issue as it was at that moment. */
export async function applyLabels(
  site: Site,
  occasion: Occasion,
  { issue, labels }: { readonly issue: Issue; readonly labels: readonly Label[] },
): Promise<Label[]> {
  const wanted = new Set(labels);
  for (const label of issue.labels.filter((present) => !wanted.has(present))) {
    issue.labels = issue.labels.filter((present) => present !== label);
    await recordLabel(site, occasion, { issue, label, action: 'unlabeled' });
  }
  for (const label of wanted) {
    if (issue.labels.includes(label)) continue;
    issue.labels = [...issue.labels, label];
    await recordLabel(site, occasion, { issue, label, action: 'labeled' });
  }
  return issue.labels;
}

interface LabelChange {
  readonly issue: Issue;
  readonly label: Label;
  readonly action: 'labeled' | 'unlabeled';
}

async function recordLabel(site: Site, occasion: Occasion, { issue, label, action }: LabelChange): Promise<void> {
  const now = site.now();
  issue.updatedAt = now;
  issue.timeline.push({ kind: action, label, at: now, actor: occasion.sender });
  await announceIssue(site, occasion, { issue, action, label });
}
