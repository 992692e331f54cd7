import { z } from 'zod';
import { createRef, deleteRef, updateRef } from '../../actions/change-refs.ts';
import { matchingRefs, readRef } from '../../git/refs.ts';
import type { Ref } from '../../git/refs.ts';
import { notFound } from '../../state/refusal.ts';
import type { Repository } from '../../state/records.ts';
import type { Site } from '../../state/site.ts';
import { repositoryUrl } from '../../views/repository-view.ts';
import { nodeId } from '../../views/schema.ts';
import type { Schema } from '../../views/schema.ts';
import { created, listReply, noContent, ok, param, readBody, repositoryRoute } from '../route.ts';
import type { RepositoryCall, Route } from '../route.ts';

const newRef = z.object({ ref: z.string(), sha: z.string() });
const refUpdate = z.object({ sha: z.string(), force: z.boolean().default(false) });

export const gitRefRoutes: readonly Route[] = [
  repositoryRoute('GET', { pattern: '/git/ref/*ref', access: 'see contents' }, async (call) => {
    const ref = await readRef(call.repository.directory, fullName(call));
    if (!ref) throw notFound();
    return ok(refView(call.site, call.repository, ref));
  }),
  repositoryRoute('GET', { pattern: '/git/matching-refs/*ref', access: 'see contents' }, async (call) => {
    const refs = await matchingRefs(call.repository.directory, fullName(call));
    return listReply(call, refs, (ref) => refView(call.site, call.repository, ref));
  }),
  repositoryRoute('POST', { pattern: '/git/refs' }, async (call) => {
    const { site, actor, repository } = call;
    const { ref: name, sha } = readBody(call, newRef);
    return created(refView(site, repository, await createRef(site, actor, { repository, name, sha })));
  }),
  repositoryRoute('PATCH', { pattern: '/git/refs/*ref' }, async (call) => {
    const { site, actor, repository } = call;
    const input = { repository, name: fullName(call), ...readBody(call, refUpdate) };
    return ok(refView(site, repository, await updateRef(site, actor, input)));
  }),
  repositoryRoute('DELETE', { pattern: '/git/refs/*ref' }, async (call) => {
    const { site, actor, repository } = call;
    await deleteRef(site, actor, { repository, name: fullName(call) });
    return noContent;
  }),
];

/** These paths leave `refs/` out; some clients give it nevertheless. */
function fullName(call: RepositoryCall): string {
  return `refs/${param(call, 'ref').replace(/^refs\//, '')}`;
}

function refView(site: Site, repository: Repository, { name, sha, type }: Ref): Schema<'git-ref'> {
  const git = `${repositoryUrl(site, repository)}/git`;
  return {
    ref: name,
    node_id: nodeId('Ref', name),
    url: `${git}/${name}`,
    object: { sha, type, url: `${git}/${type}s/${sha}` },
  };
}
