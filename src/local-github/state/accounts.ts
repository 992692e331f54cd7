import type { User } from './records.ts';
import type { Site } from './site.ts';

export function findUser(site: Pick<Site, 'users'>, login: string): User | undefined {
  return site.users.get(login.toLowerCase());
}

/** The account with this login, made when there is none. Throws on a login that GitHub would not allow. */
export function ensureUser(
  site: Pick<Site, 'users' | 'now' | 'nextId'>,
  login: string,
  type: User['type'] = 'User',
): User {
  const existing = findUser(site, login);
  if (existing) return existing;
  if (type !== 'Bot' && !/^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i.test(login)) {
    throw new Error(`"${login}" is no GitHub login: use letters, digits and inner hyphens`);
  }
  const user: User = { id: site.nextId(), login, type, createdAt: site.now() };
  site.users.set(login.toLowerCase(), user);
  return user;
}

const noreplyDomain = 'users.noreply.localhost';

/** The address under which GitHub commits for somebody. */
export function noreplyEmail(user: User): string {
  return `${user.id}+${user.login}@${noreplyDomain}`;
}

/** The account that a commit's address belongs to: only GitHub's own no-reply addresses are known here. */
export function userOfEmail(site: Pick<Site, 'users'>, email: string): User | undefined {
  const login = /^(?:\d+\+)?([^@]+)@users\.noreply\./.exec(email)?.[1];
  return login === undefined ? undefined : findUser(site, login);
}
