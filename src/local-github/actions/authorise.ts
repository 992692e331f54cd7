import { notFound, refusal } from '../state/refusal.ts';
import type { Refusal } from '../state/refusal.ts';
import { isAtLeast, isSelected, roleOf } from '../state/roles.ts';
import type { Repository, Role } from '../state/records.ts';
import type { Actor, Author } from '../state/site.ts';

interface AccessRule {
  /** What an installation token needs: one of these. */
  readonly app: readonly `${string}=${'read' | 'write'}`[];
  /** What a person needs; null where only an app may. */
  readonly user: Role | null;
}

/** Who may do what, as GitHub's reference of permissions for apps and its table of repository roles have it. */
export const accessRules = {
  'see repository': { app: ['metadata=read'], user: 'read' },
  'see contents': { app: ['contents=read'], user: 'read' },
  'see issues': { app: ['issues=read', 'pull_requests=read'], user: 'read' },
  'see pull requests': { app: ['pull_requests=read'], user: 'read' },
  'see checks': { app: ['checks=read'], user: 'read' },
  'open issue': { app: ['issues=write'], user: 'read' },
  comment: { app: ['issues=write', 'pull_requests=write'], user: 'read' },
  'moderate comments': { app: ['issues=write', 'pull_requests=write'], user: 'write' },
  react: { app: ['issues=write', 'pull_requests=write'], user: 'read' },
  'triage issues': { app: ['issues=write', 'pull_requests=write'], user: 'triage' },
  'define labels': { app: ['issues=write', 'pull_requests=write'], user: 'write' },
  'open pull request': { app: ['pull_requests=write'], user: 'write' },
  'change pull request': { app: ['pull_requests=write'], user: 'write' },
  'review pull request': { app: ['pull_requests=write'], user: 'read' },
  'write contents': { app: ['contents=write'], user: 'write' },
  'report checks': { app: ['checks=write'], user: null },
  'rerun checks': { app: ['checks=write'], user: 'write' },
} as const satisfies Record<string, AccessRule>;

export type Access = keyof typeof accessRules;

/** The actor as somebody who may do this here; throws the answer GitHub gives to one who may not. */
export function authorise(actor: Actor, repository: Repository, access: Access): Author {
  const rule: AccessRule = accessRules[access];
  switch (actor.kind) {
    case 'anonymous':
      throw refusal(401, 'Requires authentication');
    case 'app':
      throw refusal(403, 'Resource not accessible by integration');
    case 'user':
      authoriseUser(roleOf(repository, actor.user), rule);
      return actor;
    case 'installation':
      if (!isSelected(actor, repository) || !rule.app.some((permission) => holds(actor, permission)))
        throw inaccessible(rule);
      return actor;
  }
}

/** Like `authorise`, for reading: whoever can see a public repository may, and needs no account. */
export function authoriseReading(actor: Actor, repository: Repository, access: Access): void {
  if (actor.kind === 'anonymous' && !repository.private) return;
  authorise(actor, repository, access);
}

/** Like `authorise`, but what somebody wrote is theirs to change whatever their role. */
export function authoriseOwnOr(
  actor: Actor,
  repository: Repository,
  { author, access }: { readonly author: Author['user']; readonly access: Access },
): Author {
  if (actor.kind === 'user' && actor.user === author) return authorise(actor, repository, 'see repository');
  return authorise(actor, repository, access);
}

function authoriseUser(role: Role, rule: AccessRule): void {
  if (role === 'none') throw notFound();
  if (rule.user === null) throw refusal(403, 'You must authenticate via a GitHub App.');
  if (!isAtLeast(role, rule.user)) throw refusal(403, `You need ${rule.user} access to this repository.`);
}

function holds(actor: Extract<Actor, { kind: 'installation' }>, permission: string): boolean {
  const [name = '', level] = permission.split('=');
  const held = actor.permissions[name];
  return held === 'write' || held === level;
}

function inaccessible(rule: AccessRule): Refusal {
  const headers = { 'x-accepted-github-permissions': rule.app.join('; ') };
  return refusal(403, 'Resource not accessible by integration', { headers });
}
