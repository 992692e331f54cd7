import { findUser } from '../../state/accounts.ts';
import { listRefs, readRef } from '../../git/refs.ts';
import type { Ref } from '../../git/refs.ts';
import { readCommit } from '../../git/objects.ts';
import type { Role } from '../../state/records.ts';
import { isAtLeast, roleOf } from '../../state/roles.ts';
import { notFound } from '../../state/refusal.ts';
import { commitView } from '../../views/commit-view.ts';
import { repositoryPageUrl, repositoryUrl, repositoryView } from '../../views/repository-view.ts';
import { userView } from '../../views/user-view.ts';
import { listReply, ok, param, repositoryRoute } from '../route.ts';
import type { Reply, RepositoryCall, Route } from '../route.ts';

export const repositoryRoutes: readonly Route[] = [
  repositoryRoute('GET', { pattern: '', access: 'see repository' }, ({ site, repository, actor }) => {
    const permissions = actor.kind === 'user' ? { permissions: permissionFlags(roleOf(repository, actor.user)) } : {};
    return ok({ ...repositoryView(site, repository), ...permissions });
  }),
  repositoryRoute('GET', { pattern: '/collaborators/:username/permission', access: 'see repository' }, showPermission),
  repositoryRoute('GET', { pattern: '/languages', access: 'see repository' }, () => ok({})),
  repositoryRoute('GET', { pattern: '/branches', access: 'see contents' }, async (call) => {
    const refs = await listRefs(call.repository.directory, ['refs/heads']);
    return listReply(call, refs, (ref) => shortBranch(call, ref));
  }),
  repositoryRoute('GET', { pattern: '/branches/*branch', access: 'see contents' }, showBranch),
];

const legacyPermission: Record<Role, string> = {
  none: 'none',
  read: 'read',
  triage: 'read',
  write: 'write',
  maintain: 'write',
  admin: 'admin',
};

/** Answers 200 for anybody who has an account, with `read` or `none` for who is no collaborator. */
function showPermission(call: RepositoryCall): Reply {
  const { site, repository } = call;
  const user = findUser(site, param(call, 'username'));
  if (!user) throw notFound();
  const role = roleOf(repository, user);
  // `permission` knows four levels; `role_name` tells all.
  const permission = legacyPermission[role];
  const permissions = permissionFlags(role);
  return ok({ permission, role_name: role, user: { ...userView(site, user), permissions, role_name: role } });
}

function permissionFlags(role: Role) {
  return {
    admin: isAtLeast(role, 'admin'),
    maintain: isAtLeast(role, 'maintain'),
    push: isAtLeast(role, 'write'),
    triage: isAtLeast(role, 'triage'),
    pull: isAtLeast(role, 'read'),
  };
}

function branchName(ref: Ref): string {
  return ref.name.slice('refs/heads/'.length);
}

function shortBranch({ site, repository }: RepositoryCall, ref: Ref) {
  const commit = { sha: ref.sha, url: `${repositoryUrl(site, repository)}/commits/${ref.sha}` };
  return { name: branchName(ref), commit, protected: false };
}

async function showBranch(call: RepositoryCall): Promise<Reply> {
  const { site, repository } = call;
  const ref = await readRef(repository.directory, `refs/heads/${param(call, 'branch')}`);
  const commit = ref && (await readCommit(repository.directory, ref.sha));
  if (!ref || !commit) throw notFound();
  const name = branchName(ref);
  const self = `${repositoryUrl(site, repository)}/branches/${encodeURIComponent(name)}`;
  return ok({
    name,
    commit: commitView(site, repository, commit),
    _links: { self, html: `${repositoryPageUrl(site, repository)}/tree/${name}` },
    protected: false,
    protection: { enabled: false, required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] } },
    protection_url: `${self}/protection`,
  });
}
