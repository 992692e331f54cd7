import { notFound, refusal } from '../../state/refusal.ts';
import { findUser } from '../../state/accounts.ts';
import { profileView } from '../../views/user-view.ts';
import { ok, param, route } from '../route.ts';
import type { Call, Route } from '../route.ts';

export const accountRoutes: readonly Route[] = [
  route('GET', '/', ({ site }) => ok({ current_user_url: `${site.url}/api/v3/user` })),
  route('GET', '/meta', () => ok({ verifiable_password_authentication: false, installed_version: '3.19.0' })),
  route('GET', '/rate_limit', rateLimit),
  route('GET', '/user', ({ site, actor }) => {
    if (actor.kind === 'anonymous') throw refusal(401, 'Requires authentication');
    if (actor.kind !== 'user') throw refusal(403, 'Resource not accessible by integration');
    return ok(profileView(site, actor.user));
  }),
  route('GET', '/users/:username', (call) => {
    const user = findUser(call.site, param(call, 'username'));
    if (!user) throw notFound();
    return ok(profileView(call.site, user));
  }),
];

function rateLimit({ site }: Call) {
  const limit = { limit: 5000, used: 1, remaining: 4999, reset: Math.ceil(site.now().getTime() / 1000) + 3600 };
  return ok({ resources: { core: limit, search: limit, graphql: limit }, rate: limit });
}
