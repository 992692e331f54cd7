import { verifyAppJwt } from './verify-app-jwt.ts';
import { refusal } from '../state/refusal.ts';
import type { Actor, Site } from '../state/site.ts';
import { actorOfToken } from '../state/tokens.ts';

/** Who an `Authorization` header speaks for. No header is anonymous; one that is not valid is refused. */
export function authenticate(site: Site, authorization: string | undefined): Actor {
  if (authorization === undefined) return { kind: 'anonymous' };
  const [scheme = '', credentials = ''] = authorization.split(' ');
  const token = scheme.toLowerCase() === 'basic' ? basicPassword(credentials) : credentials;
  if (token.split('.').length === 3) {
    verifyAppJwt(site, token);
    return { kind: 'app' };
  }
  const actor = actorOfToken(site, token);
  if (!actor) throw refusal(401, 'Bad credentials');
  return actor;
}

/** How logs and listeners call an actor. */
export function actorName(actor: Actor): string {
  return actor.kind === 'user' || actor.kind === 'installation' ? actor.user.login : actor.kind;
}

function basicPassword(credentials: string): string {
  const decoded = Buffer.from(credentials, 'base64').toString('utf8');
  const separator = decoded.indexOf(':');
  const password = decoded.slice(separator + 1);
  // A token may also be given as the name, with an empty or a fixed password.
  return password === '' || password === 'x-oauth-basic' ? decoded.slice(0, separator) : password;
}
