import { z } from 'zod';
import { writeFile } from '../../actions/write-file.ts';
import { readCommit, readObject, readTree } from '../../git/objects.ts';
import type { TreeEntry } from '../../git/objects.ts';
import { resolveCommit } from '../../git/refs.ts';
import { notFound } from '../../state/refusal.ts';
import { gitCommitView } from '../../views/commit-view.ts';
import { repositoryPageUrl, repositoryUrl } from '../../views/repository-view.ts';
import { ok, param, readBody, repositoryRoute } from '../route.ts';
import type { Reply, RepositoryCall, Route } from '../route.ts';

const fileWrite = z.object({
  message: z.string(),
  content: z.string().transform((text) => Buffer.from(text, 'base64')),
  sha: z.string().optional(),
  branch: z.string().optional(),
});

export const contentRoutes: readonly Route[] = [
  repositoryRoute('GET', { pattern: '/contents/*path', access: 'see contents' }, showContent),
  repositoryRoute('GET', { pattern: '/contents', access: 'see contents' }, showContent),
  repositoryRoute('PUT', { pattern: '/contents/*path' }, putContent),
];

async function showContent(call: RepositoryCall): Promise<Reply> {
  const { repository, query, accept } = call;
  const { directory } = repository;
  const path = (call.params['path'] ?? '').replace(/\/+$/, '');
  const ref = query.get('ref') ?? repository.defaultBranch;
  const commit = await resolveCommit(directory, ref);
  if (commit === null) throw notFound();
  const object = await readObject(directory, `${commit}:${path}`);
  if (object?.type === 'tree') {
    const entries = (await readTree(directory, object.sha)) ?? [];
    const prefix = path === '' ? '' : `${path}/`;
    return ok(entries.map((entry) => entryView(call, { ...entry, path: `${prefix}${entry.path}`, ref })));
  }
  if (object?.type !== 'blob') throw notFound();
  const { sha, content } = object;
  if (/\.raw\b/.test(accept)) {
    return { status: 200, raw: { content, type: 'application/vnd.github.raw; charset=utf-8' } };
  }
  // GitHub breaks the base64 into lines, and readers have to cope.
  const encoded = content.toString('base64').replace(/.{60}/g, '$&\n');
  const entry = entryView(call, { mode: '100644', type: 'blob', sha, size: content.length, path, ref });
  return ok({ ...entry, content: `${encoded}\n`, encoding: 'base64' });
}

async function putContent(call: RepositoryCall): Promise<Reply> {
  const { site, actor, repository } = call;
  const path = param(call, 'path');
  const body = readBody(call, fileWrite);
  const written = await writeFile(site, actor, { repository, path, ...body });
  const commit = await readCommit(repository.directory, written.commitSha);
  if (!commit) throw notFound();
  const ref = body.branch ?? repository.defaultBranch;
  const entry: TreeEntry = { mode: '100644', type: 'blob', sha: written.blobSha, size: body.content.length, path };
  const content = entryView(call, { ...entry, ref });
  return { status: written.created ? 201 : 200, body: { content, commit: gitCommitView(site, repository, commit) } };
}

const types = { blob: 'file', tree: 'dir', commit: 'submodule' } as const;

function entryView({ site, repository }: RepositoryCall, entry: TreeEntry & { readonly ref: string }) {
  const api = repositoryUrl(site, repository);
  const page = repositoryPageUrl(site, repository);
  const encoded = entry.path.split('/').map(encodeURIComponent).join('/');
  const self = `${api}/contents/${encoded}?ref=${encodeURIComponent(entry.ref)}`;
  const git = `${api}/git/${entry.type}s/${entry.sha}`;
  const html = `${page}/${entry.type}/${entry.ref}/${encoded}`;
  return {
    type: entry.mode === '120000' ? 'symlink' : types[entry.type],
    name: entry.path.slice(entry.path.lastIndexOf('/') + 1),
    path: entry.path,
    sha: entry.sha,
    size: entry.size ?? 0,
    url: self,
    git_url: git,
    html_url: html,
    download_url: entry.type === 'blob' ? `${page}/raw/${entry.ref}/${encoded}` : null,
    _links: { self, git, html },
  };
}
