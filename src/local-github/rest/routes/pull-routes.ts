import { z } from 'zod';
import { mergePullRequest } from '../../actions/merge-pull-request.ts';
import { openPullRequest } from '../../actions/open-pull-request.ts';
import { readMergeability } from '../../actions/read-mergeability.ts';
import { updatePullRequest } from '../../actions/update-pull-request.ts';
import { diffFiles } from '../../git/diff.ts';
import { readCommits } from '../../git/objects.ts';
import { commitsBetween } from '../../git/refs.ts';
import { findPullRequest, pullRequestsOf } from '../../state/find-records.ts';
import type { PullRequest } from '../../state/records.ts';
import { commitView, fileView } from '../../views/commit-view.ts';
import { pullRange, pullSimpleView, pullView } from '../../views/pull-view.ts';
import { rawDiff } from '../raw-diff.ts';
import { created, listReply, noContent, numberParam, ok, paginate, readBody, repositoryRoute } from '../route.ts';
import type { Reply, RepositoryCall, Route } from '../route.ts';
import { byCreation } from '../sort-records.ts';

const title = z.union([z.string(), z.number()]).transform(String);
const newPullRequest = z.object({
  title,
  head: z.string(),
  base: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().optional(),
});
const pullRequestUpdate = z.object({
  title: title.optional(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  base: z.string().optional(),
});
const merge = z.object({
  commit_title: z.string().optional(),
  commit_message: z.string().optional(),
  sha: z.string().optional(),
  merge_method: z.enum(['merge', 'squash', 'rebase']).default('merge'),
});

export const pullRoutes: readonly Route[] = [
  repositoryRoute('GET', { pattern: '/pulls', access: 'see pull requests' }, listPullRequests),
  repositoryRoute('POST', { pattern: '/pulls' }, async (call) => {
    const { site, actor, repository } = call;
    const request = await openPullRequest(site, actor, { repository, ...readBody(call, newPullRequest) });
    return created(await pullView(site, repository, { request, mergeable: null }));
  }),
  repositoryRoute('GET', { pattern: '/pulls/:pull_number', access: 'see pull requests' }, showPullRequest),
  repositoryRoute('PATCH', { pattern: '/pulls/:pull_number' }, async (call) => {
    const { site, actor, repository } = call;
    const request = pullOf(call);
    await updatePullRequest(site, actor, { repository, request, ...readBody(call, pullRequestUpdate) });
    return ok(await pullView(site, repository, { request, mergeable: null }));
  }),
  repositoryRoute('GET', { pattern: '/pulls/:pull_number/commits', access: 'see pull requests' }, listCommits),
  repositoryRoute('GET', { pattern: '/pulls/:pull_number/files', access: 'see pull requests' }, listFiles),
  repositoryRoute('GET', { pattern: '/pulls/:pull_number/merge', access: 'see pull requests' }, (call) =>
    pullOf(call).pull.mergedAt === null ? { status: 404, body: { message: 'Not Found' } } : noContent,
  ),
  repositoryRoute('PUT', { pattern: '/pulls/:pull_number/merge' }, mergeReply),
];

function pullOf(call: RepositoryCall): PullRequest {
  return findPullRequest(call.repository, numberParam(call, 'pull_number'));
}

async function mergeReply(call: RepositoryCall): Promise<Reply> {
  const { site, actor, repository } = call;
  const body = readBody(call, merge);
  const sha = await mergePullRequest(site, actor, {
    repository,
    request: pullOf(call),
    method: body.merge_method,
    title: body.commit_title,
    message: body.commit_message,
    expectedHead: body.sha,
  });
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
}

function listPullRequests(call: RepositoryCall): Reply {
  const { site, repository, query } = call;
  const state = query.get('state') ?? 'open';
  const head = query.get('head');
  const base = query.get('base');
  const matches = ({ pull, ...request }: PullRequest) =>
    (state === 'all' || request.state === state) &&
    (head === null || head === `${repository.owner.login}:${pull.head.ref}`) &&
    (base === null || base === pull.base.ref);
  const requests = byCreation(pullRequestsOf(repository).filter(matches), query);
  return listReply(call, requests, (request) => pullSimpleView(site, repository, request));
}

async function showPullRequest(call: RepositoryCall): Promise<Reply> {
  const { site, repository } = call;
  const request = pullOf(call);
  const { excluded, head } = await pullRange(repository, request);
  const raw = await rawDiff(call, excluded, head);
  if (raw) return raw;
  const mergeable = await readMergeability(repository, request);
  return ok(await pullView(site, repository, { request, mergeable }));
}

async function listCommits(call: RepositoryCall): Promise<Reply> {
  const { site, repository } = call;
  const { directory } = repository;
  const { excluded, head } = await pullRange(repository, pullOf(call));
  // Oldest first, and no more than 250 whatever the page.
  const shas = (await commitsBetween(directory, excluded, head)).toReversed().slice(0, 250);
  const { items, headers } = paginate(call, shas);
  const commits = await readCommits(directory, items);
  return { status: 200, body: commits.map((commit) => commitView(site, repository, commit)), headers };
}

async function listFiles(call: RepositoryCall): Promise<Reply> {
  const { site, repository } = call;
  const { excluded, head } = await pullRange(repository, pullOf(call));
  const files = await diffFiles(repository.directory, excluded, head);
  return listReply(call, files, (file) => fileView(site, repository, { file, ref: head }));
}
