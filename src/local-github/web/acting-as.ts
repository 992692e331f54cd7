import { findUser } from '../state/accounts.ts';
import type { User } from '../state/records.ts';
import type { Site } from '../state/site.ts';

const cookieName = 'acting_as';

/** Whom the browser plays: the person it chose, else the first one made. There are no passwords on loopback. */
export function actingAs(site: Site, cookies: string | undefined): User | undefined {
  const chosen = cookies
    ?.split('; ')
    .find((cookie) => cookie.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1);
  const user = chosen === undefined ? undefined : findUser(site, chosen);
  return user?.type === 'User' ? user : [...site.users.values()].find((candidate) => candidate.type === 'User');
}

export function actingAsCookie(user: User): string {
  return `${cookieName}=${user.login}; Path=/; SameSite=Lax; HttpOnly`;
}
