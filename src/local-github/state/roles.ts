import type { Repository, Role, User } from './records.ts';
import type { Actor } from './site.ts';

const ascending: readonly Role[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

/** What somebody may do here; `read` for everybody where the repository is public. */
export function roleOf(repository: Repository, user: User): Role {
  return repository.roles.get(user.login.toLowerCase()) ?? (repository.private ? 'none' : 'read');
}

export function isAtLeast(role: Role, wanted: Role): boolean {
  return ascending.indexOf(role) >= ascending.indexOf(wanted);
}

/** Whether the repository exists as far as this actor can tell. */
export function canSee(actor: Actor, repository: Repository): boolean {
  if (!repository.private) return true;
  switch (actor.kind) {
    case 'user':
      return isAtLeast(roleOf(repository, actor.user), 'read');
    case 'installation':
      return isSelected(actor, repository);
    case 'app':
      // The app's JWT finds the installations of the repositories it is installed on, and it is on all of them.
      return true;
    case 'anonymous':
      return false;
  }
}

/** Whether an installation token reaches the repository. */
export function isSelected(actor: Extract<Actor, { kind: 'installation' }>, repository: Repository): boolean {
  return actor.installation === repository.installation && (actor.repositoryIds?.has(repository.id) ?? true);
}
