import type { Schema } from './schema.ts';
import type { Repository, User } from '../state/records.ts';

export function authorAssociation(repository: Repository, author: User): Schema<'author-association'> {
  if (author === repository.owner) return 'OWNER';
  const role = repository.roles.get(author.login.toLowerCase());
  if (role === undefined || role === 'none') return 'NONE';
  return repository.owner.type === 'Organization' ? 'MEMBER' : 'COLLABORATOR';
}
