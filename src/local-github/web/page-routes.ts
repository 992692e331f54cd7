import { findIssue, findPullRequest, findRepository } from '../state/find-records.ts';
import type { Page } from './page.ts';
import { commitPage } from './pages/commit-page.ts';
import { deliveriesPage, deliveryPage } from './pages/deliveries-page.ts';
import { homePage } from './pages/home-page.ts';
import { issueListPage } from './pages/issue-list-page.ts';
import { issuePage } from './pages/issue-page.ts';
import { newIssuePage } from './pages/new-issue-page.ts';
import { pullPage } from './pages/pull-page.ts';
import type { PullTab } from './pages/pull-page.ts';
import { blobPage, emptyRepositoryPage, treePage } from './pages/tree-page.ts';
import { readBlobFacts, readCommitFacts, readPullFacts, readTreeFacts } from './read-facts.ts';
import type { RepositoryView, View } from './view.ts';

/** A page, or another address that has it; null where there is none. */
type Found<Its extends View> = { readonly view: Its; readonly page: Page } | { readonly redirect: string } | null;

type Parameters = Readonly<Record<string, string>>;
type Content = Page | { readonly redirect: string } | null;

const sitePages: readonly (readonly [RegExp, (view: View, parameters: Parameters) => Content])[] = [
  [/^\/$/u, (view) => homePage(view)],
  [/^\/settings\/deliveries$/u, deliveriesPage],
  [
    /^\/settings\/deliveries\/(?<id>\d+)$/u,
    (view, { id }) => {
      const delivery = view.site.webhooks.log().find((record) => record.id === Number(id));
      return delivery ? deliveryPage(view, delivery) : null;
    },
  ],
  [
    /^\/(?<owner>[^/]+)$/u,
    (view, { owner = '' }) => (view.site.users.has(owner.toLowerCase()) ? homePage(view, owner) : null),
  ],
];

type RepositoryPage = (view: RepositoryView, parameters: Parameters) => Content | Promise<Content>;

const repositoryPages: readonly (readonly [RegExp, RepositoryPage])[] = [
  [/^$/u, (view) => codePage(view, view.repository.defaultBranch)],
  [/^\/tree\/(?<place>.+)$/u, (view, { place = '' }) => codePage(view, place)],
  [/^\/blob\/(?<place>.+)$/u, filePage],
  [/^\/commit\/(?<sha>[\da-f]{7,40})$/u, showCommit],
  [/^\/(?<kind>issues|pulls)$/u, (view, { kind }) => issueListPage(view, kind === 'pulls' ? 'pulls' : 'issues')],
  [/^\/issues\/new$/u, newIssuePage],
  [/^\/issues\/(?<number>\d+)$/u, showIssue],
  [/^\/pull\/(?<number>\d+)(?:\/(?<tab>commits|files|checks))?$/u, showPull],
];

export async function findPage(view: View): Promise<Found<View | RepositoryView>> {
  const pathname = decodePath(view.url.pathname);
  for (const [pattern, make] of sitePages) {
    const match = pattern.exec(pathname);
    if (match) return found(view, make(view, match.groups ?? {}));
  }
  const [, owner = '', name = '', rest = ''] = /^\/([^/]+)\/([^/]+)(.*)$/u.exec(pathname.replace(/\/$/u, '')) ?? [];
  const repository = findRepository(view.site, view.actor, `${owner}/${name}`);
  const repositoryView = { ...view, repository };
  for (const [pattern, make] of repositoryPages) {
    const match = pattern.exec(rest);
    if (match) return found(repositoryView, await make(repositoryView, match.groups ?? {}));
  }
  return null;
}

function found<Its extends View>(view: Its, content: Content): Found<Its> {
  if (content === null || 'redirect' in content) return content;
  return { view, page: content };
}

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

async function codePage(view: RepositoryView, place: string): Promise<Content> {
  const facts = await readTreeFacts(view.repository, place);
  if (facts !== null) return treePage(view, facts);
  return place === view.repository.defaultBranch ? emptyRepositoryPage(view) : null;
}

async function filePage(view: RepositoryView, { place = '' }: Parameters): Promise<Content> {
  const facts = await readBlobFacts(view.repository, place);
  return facts && blobPage(view, facts, facts.content);
}

async function showCommit(view: RepositoryView, { sha = '' }: Parameters): Promise<Content> {
  const facts = await readCommitFacts(view.repository, sha);
  return facts && commitPage(view, facts.commit, facts.files);
}

function showIssue(view: RepositoryView, { number }: Parameters): Content {
  const issue = findIssue(view.repository, Number(number));
  if (issue.pull !== null) return { redirect: `/${view.repository.fullName}/pull/${issue.number}` };
  return issuePage(view, issue);
}

async function showPull(view: RepositoryView, { number, tab = 'conversation' }: Parameters): Promise<Content> {
  const issue = findIssue(view.repository, Number(number));
  if (issue.pull === null) return { redirect: `/${view.repository.fullName}/issues/${issue.number}` };
  const request = findPullRequest(view.repository, Number(number));
  const facts = await readPullFacts(view, request);
  return pullPage(view, request, { tab: tab as PullTab, facts });
}
