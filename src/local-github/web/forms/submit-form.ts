import { findUser } from '../../state/accounts.ts';
import { findRepository } from '../../state/find-records.ts';
import type { User } from '../../state/records.ts';
import type { View } from '../view.ts';
import { changeLabels, openIssue, reactToComment, reactToIssue, submitComment } from './issue-forms.ts';
import type { RepositoryForm } from './repository-form.ts';
import { deleteHeadBranch, merge, pressCheckAction, rerunCheck, submitReview } from './pull-forms.ts';

export interface Done {
  /** Path to show next. */
  readonly redirect: string;
  readonly actAs?: User;
}

/** Every form of a repository's pages. Each does what the REST endpoint beside it in `actions/` does, and no more. */
const repositoryForms: readonly (readonly [RegExp, (form: RepositoryForm) => Promise<string> | string])[] = [
  [/^\/issues$/u, openIssue],
  [/^\/issues\/(?<id>\d+)\/comments$/u, submitComment],
  [/^\/issues\/(?<id>\d+)\/labels$/u, changeLabels],
  [/^\/issues\/(?<id>\d+)\/reactions$/u, reactToIssue],
  [/^\/issues\/comments\/(?<id>\d+)\/reactions$/u, reactToComment],
  [/^\/pull\/(?<id>\d+)\/merge$/u, merge],
  [/^\/pull\/(?<id>\d+)\/delete-branch$/u, deleteHeadBranch],
  [/^\/pull\/(?<id>\d+)\/reviews$/u, submitReview],
  [/^\/check-runs\/(?<id>\d+)\/rerequest$/u, rerunCheck],
  [/^\/check-runs\/(?<id>\d+)\/actions$/u, pressCheckAction],
];

/** Does what a posted form asks for; null when there is no such form. Throws a refusal as the action does. */
export async function submitForm(view: View, fields: URLSearchParams): Promise<Done | null> {
  const { pathname } = view.url;
  if (pathname === '/login') return switchPerson(view, fields);
  const delivery = /^\/settings\/deliveries\/(?<id>\d+)\/redeliver$/u.exec(pathname)?.groups?.['id'];
  if (delivery !== undefined) return redeliver(view, Number(delivery));

  const [, owner = '', name = '', rest = ''] = /^\/([^/]+)\/([^/]+)(\/.*)$/u.exec(pathname) ?? [];
  const repository = findRepository(view.site, view.actor, `${owner}/${name}`);
  for (const [pattern, submit] of repositoryForms) {
    const match = pattern.exec(rest);
    if (!match) continue;
    const id = Number(match.groups?.['id'] ?? 0);
    return { redirect: await submit({ view: { ...view, repository }, fields, id }) };
  }
  return null;
}

function switchPerson({ site }: View, fields: URLSearchParams): Done | null {
  const user = findUser(site, fields.get('login') ?? '');
  if (user?.type !== 'User') return null;
  const target = URL.parse(fields.get('return_to') ?? '/', site.url);
  // Only back into these pages, whatever the form says; two slashes in front would name a host.
  const redirect = target?.origin === site.url ? target.pathname.replace(/^\/+/u, '/') + target.search : '/';
  return { redirect, actAs: user };
}

async function redeliver({ site }: View, id: number): Promise<Done | null> {
  const delivery = site.webhooks.log().find((record) => record.id === id);
  if (!delivery) return null;
  await site.webhooks.redeliver(delivery.guid);
  return { redirect: '/settings/deliveries' };
}
