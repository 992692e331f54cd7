import { diffFiles, emptyTree } from '../../git/diff.ts';
import type { FileDiff } from '../../git/diff.ts';
import { readCommit, readCommits } from '../../git/objects.ts';
import type { Commit } from '../../git/objects.ts';
import { commitsBetween, mergeBase, resolveCommit } from '../../git/refs.ts';
import { gitLines } from '../../git/run-git.ts';
import { notFound, refusal } from '../../state/refusal.ts';
import { commitView, fileView } from '../../views/commit-view.ts';
import { repositoryPageUrl, repositoryUrl } from '../../views/repository-view.ts';
import type { Schema } from '../../views/schema.ts';
import { rawDiff } from '../raw-diff.ts';
import { ok, paginate, param, repositoryRoute } from '../route.ts';
import type { Reply, RepositoryCall, Route } from '../route.ts';

export const commitRoutes: readonly Route[] = [
  repositoryRoute('GET', { pattern: '/commits', access: 'see contents' }, listCommits),
  repositoryRoute('GET', { pattern: '/commits/*ref', access: 'see contents' }, showCommit),
  repositoryRoute('GET', { pattern: '/compare/*basehead', access: 'see contents' }, compare),
];

const mostFiles = 300;

async function listCommits(call: RepositoryCall): Promise<Reply> {
  const { site, repository, query } = call;
  const { directory } = repository;
  const start = await resolveCommit(directory, query.get('sha') ?? repository.defaultBranch);
  if (start === null) throw query.has('sha') ? notFound() : refusal(409, 'Git Repository is empty.');
  const path = query.get('path');
  const filters = [
    ...(query.has('since') ? [`--since=${query.get('since')}`] : []),
    ...(query.has('until') ? [`--until=${query.get('until')}`] : []),
    ...(query.has('author') ? [`--author=${query.get('author')}`] : []),
  ];
  const shas = await gitLines(directory, ['rev-list', ...filters, start, '--', ...(path === null ? [] : [path])]);
  const { items, headers } = paginate(call, shas);
  const commits = await readCommits(directory, items);
  return { status: 200, body: commits.map((commit) => commitView(site, repository, commit)), headers };
}

async function showCommit(call: RepositoryCall): Promise<Reply> {
  const { site, repository } = call;
  const commit = await commitNamed(call, param(call, 'ref'));
  const parent = commit.parents[0] ?? emptyTree;
  const raw = await rawDiff(call, parent, commit.sha);
  if (raw) return raw;
  const files = await diffFiles(repository.directory, parent, commit.sha);
  const additions = sum(files, 'additions');
  const deletions = sum(files, 'deletions');
  return ok({
    ...commitView(site, repository, commit),
    stats: { additions, deletions, total: additions + deletions },
    files: files.slice(0, mostFiles).map((file) => fileView(site, repository, { file, ref: commit.sha })),
  });
}

/** `base...head`: what the head has since it left the base. */
async function compare(call: RepositoryCall): Promise<Reply> {
  const { site, repository } = call;
  const { directory } = repository;
  const [baseName = '', headName = ''] = param(call, 'basehead').split('...');
  const base = await commitNamed(call, baseName);
  const head = await commitNamed(call, headName);
  const forkSha = await mergeBase(directory, base.sha, head.sha);
  const fork = forkSha === null ? null : await readCommit(directory, forkSha);
  if (!fork) throw notFound();
  const raw = await rawDiff(call, fork.sha, head.sha);
  if (raw) return raw;
  const [ahead, behind, files] = await Promise.all([
    commitsBetween(directory, base.sha, head.sha),
    commitsBetween(directory, head.sha, base.sha),
    diffFiles(directory, fork.sha, head.sha),
  ]);
  const { items, headers } = paginate(call, ahead.toReversed());
  const commits = await readCommits(directory, items);
  const isFirstPage = Number(call.query.get('page') ?? 1) === 1;
  const body: Schema<'commit-comparison'> = {
    ...comparisonUrls(call, `${base.sha}...${head.sha}`),
    base_commit: commitView(site, repository, base),
    merge_base_commit: commitView(site, repository, fork),
    status: comparisonStatus(ahead.length, behind.length),
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: commits.map((commit) => commitView(site, repository, commit)),
    // Files come with the first page only.
    ...(isFirstPage && {
      files: files.slice(0, mostFiles).map((file) => fileView(site, repository, { file, ref: head.sha })),
    }),
  };
  return { status: 200, body, headers };
}

function comparisonUrls({ site, repository }: RepositoryCall, range: string) {
  const page = `${repositoryPageUrl(site, repository)}/compare/${range}`;
  const url = `${repositoryUrl(site, repository)}/compare/${range}`;
  return { url, html_url: page, permalink_url: page, diff_url: `${page}.diff`, patch_url: `${page}.patch` };
}

function comparisonStatus(ahead: number, behind: number): Schema<'commit-comparison'>['status'] {
  if (ahead > 0) return behind > 0 ? 'diverged' : 'ahead';
  return behind > 0 ? 'behind' : 'identical';
}

async function commitNamed({ repository }: RepositoryCall, name: string): Promise<Commit> {
  const withoutOwner = name.slice(name.indexOf(':') + 1);
  const sha = await resolveCommit(repository.directory, withoutOwner);
  const commit = sha === null ? null : await readCommit(repository.directory, sha);
  if (commit) return commit;
  // GitHub tells apart what can be no ref at all from what does not exist.
  throw /^[\da-f]{40}$/.test(withoutOwner) ? refusal(422, `No commit found for SHA: ${withoutOwner}`) : notFound();
}

function sum(files: readonly FileDiff[], key: 'additions' | 'deletions'): number {
  return files.reduce((total, file) => total + file[key], 0);
}
