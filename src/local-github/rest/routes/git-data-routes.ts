import { z } from 'zod';
import { createBlob, createCommit, createTree } from '../../actions/write-objects.ts';
import { readCommit, readObject, readTree } from '../../git/objects.ts';
import { resolveCommit } from '../../git/refs.ts';
import { notFound } from '../../state/refusal.ts';
import { gitCommitView } from '../../views/commit-view.ts';
import { repositoryUrl } from '../../views/repository-view.ts';
import { nodeId } from '../../views/schema.ts';
import type { Schema } from '../../views/schema.ts';
import { created, ok, param, readBody, repositoryRoute } from '../route.ts';
import type { RepositoryCall, Route } from '../route.ts';

const person = z.object({ name: z.string(), email: z.string(), date: z.iso.datetime({ offset: true }).optional() });
const newCommit = z.object({
  message: z.string(),
  tree: z.string(),
  parents: z.array(z.string()).default([]),
  author: person.optional(),
  committer: person.optional(),
});
const newTree = z.object({
  base_tree: z.string().optional(),
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.enum(['100644', '100755', '040000', '160000', '120000']),
      type: z.enum(['blob', 'tree', 'commit']).optional(),
      sha: z.string().nullish(),
      content: z.string().optional(),
    }),
  ),
});
const newBlob = z.object({ content: z.string(), encoding: z.enum(['utf-8', 'base64']).default('utf-8') });

export const gitDataRoutes: readonly Route[] = [
  repositoryRoute('POST', { pattern: '/git/commits' }, async (call) => {
    const { site, actor, repository } = call;
    const commit = await createCommit(site, actor, { repository, ...readBody(call, newCommit) });
    return created(gitCommitView(site, repository, commit));
  }),
  repositoryRoute('GET', { pattern: '/git/commits/:sha', access: 'see contents' }, async (call) => {
    const commit = await readCommit(call.repository.directory, param(call, 'sha'));
    if (!commit) throw notFound();
    return ok(gitCommitView(call.site, call.repository, commit));
  }),
  repositoryRoute('POST', { pattern: '/git/trees' }, async (call) => {
    const { actor, repository } = call;
    const { base_tree: baseTree, tree: entries } = readBody(call, newTree);
    return created(
      await treeView(call, { sha: await createTree(actor, { repository, baseTree, entries }), recursive: false }),
    );
  }),
  repositoryRoute('GET', { pattern: '/git/trees/*sha', access: 'see contents' }, async (call) => {
    const { directory } = call.repository;
    const name = param(call, 'sha');
    const commit = await resolveCommit(directory, name);
    const tree = await readObject(directory, `${commit ?? name}^{tree}`);
    if (!tree) throw notFound();
    return ok(await treeView(call, { sha: tree.sha, recursive: call.query.has('recursive') }));
  }),
  repositoryRoute('POST', { pattern: '/git/blobs' }, async (call) => {
    const { actor, repository, site } = call;
    const { content, encoding } = readBody(call, newBlob);
    const sha = await createBlob(actor, { repository, content: Buffer.from(content, encoding) });
    return created({ sha, url: `${repositoryUrl(site, repository)}/git/blobs/${sha}` });
  }),
  repositoryRoute('GET', { pattern: '/git/blobs/:sha', access: 'see contents' }, async (call) => {
    const { repository, site } = call;
    const blob = await readObject(repository.directory, param(call, 'sha'));
    if (blob?.type !== 'blob') throw notFound();
    const view: Schema<'blob'> = {
      sha: blob.sha,
      node_id: nodeId('Blob', blob.sha),
      url: `${repositoryUrl(site, repository)}/git/blobs/${blob.sha}`,
      size: blob.content.length,
      content: blob.content.toString('base64'),
      encoding: 'base64',
    };
    return ok(view);
  }),
];

interface TreeRequest {
  readonly sha: string;
  readonly recursive: boolean;
}

async function treeView(
  { site, repository }: RepositoryCall,
  { sha, recursive }: TreeRequest,
): Promise<Schema<'git-tree'>> {
  const entries = await readTree(repository.directory, sha, recursive);
  if (!entries) throw notFound();
  const git = `${repositoryUrl(site, repository)}/git`;
  return {
    sha,
    url: `${git}/trees/${sha}`,
    tree: entries.map(({ size, ...entry }) => ({
      ...entry,
      ...(size !== null && { size }),
      url: `${git}/${entry.type}s/${entry.sha}`,
    })),
    truncated: false,
  };
}
