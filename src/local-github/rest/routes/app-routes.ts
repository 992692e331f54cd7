import { z } from 'zod';
import { createAccessToken, repositoriesOf } from '../../actions/create-access-token.ts';
import { canSee } from '../../state/roles.ts';
import { findRepository } from '../../state/find-records.ts';
import type { Installation } from '../../state/records.ts';
import { notFound, refusal } from '../../state/refusal.ts';
import { deliveryDetailView, deliveryView } from '../../views/delivery-view.ts';
import { repositoryView } from '../../views/repository-view.ts';
import { timestamp } from '../../views/schema.ts';
import { appView, installationView } from '../../views/user-view.ts';
import { created, listReply, noContent, numberParam, ok, paginate, param, readBody, route } from '../route.ts';
import type { Call, Reply, Route } from '../route.ts';

/** Routes for the app itself, known by its JWT. */
function appRoute(method: Route['method'], pattern: string, handle: Route['handle']): Route {
  return route(method, pattern, (call) => {
    if (call.actor.kind !== 'app') throw refusal(401, 'A JSON web token could not be decoded');
    return handle(call);
  });
}

export const appRoutes: readonly Route[] = [
  appRoute('GET', '/app', ({ site }) => ok({ ...appView(site), installations_count: site.installations.size })),
  appRoute('GET', '/app/installations', (call) =>
    listReply(call, [...call.site.installations.values()], (installation) => installationView(call.site, installation)),
  ),
  appRoute('GET', '/app/installations/:installation_id', (call) =>
    ok(installationView(call.site, findInstallation(call))),
  ),
  appRoute('POST', '/app/installations/:installation_id/access_tokens', issueToken),
  appRoute('GET', '/app/hook/deliveries', listDeliveries),
  appRoute('GET', '/app/hook/deliveries/:delivery_id', (call) => ok(deliveryDetailView(call.site, findDelivery(call)))),
  appRoute('POST', '/app/hook/deliveries/:delivery_id/attempts', redeliver),
  appRoute('GET', '/repos/:owner/:repo/installation', (call) => {
    const repository = findRepository(call.site, call.actor, `${param(call, 'owner')}/${param(call, 'repo')}`);
    return ok(installationView(call.site, repository.installation));
  }),
  appRoute('GET', '/users/:login/installation', installationOfAccount),
  appRoute('GET', '/orgs/:login/installation', installationOfAccount),
  route('GET', '/installation/repositories', (call) => {
    const { site, actor } = call;
    if (actor.kind !== 'installation')
      throw refusal(
        403,
        'You must authenticate with an installation access token in order to list repositories for an installation.',
      );
    const all = repositoriesOf(site, actor.installation).filter(
      (repository) => canSee(actor, repository) && (actor.repositoryIds?.has(repository.id) ?? true),
    );
    const { items, headers } = paginate(call, all);
    const repositories = items.map((repository) => repositoryView(site, repository));
    return { status: 200, body: { total_count: all.length, repository_selection: 'selected', repositories }, headers };
  }),
  route('DELETE', '/installation/token', ({ site, actor }) => {
    for (const [token, issued] of site.installationTokens)
      if (issued.actor === actor) site.installationTokens.delete(token);
    return noContent;
  }),
];

const tokenRequest = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.number()).optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
});

function issueToken(call: Call): Reply {
  const { site } = call;
  const { repositories, repository_ids: repositoryIds, permissions } = readBody(call, tokenRequest);
  const issued = createAccessToken(site, {
    installation: findInstallation(call),
    repositories,
    repositoryIds,
    permissions,
  });
  const { actor } = issued;
  const selected = repositoriesOf(site, actor.installation).filter((repository) =>
    actor.repositoryIds?.has(repository.id),
  );
  return created({
    token: issued.token,
    expires_at: timestamp(issued.expiresAt),
    permissions: actor.permissions,
    repository_selection: 'selected',
    ...(actor.repositoryIds && { repositories: selected.map((repository) => repositoryView(site, repository)) }),
  });
}

function installationOfAccount(call: Call): Reply {
  const installation = call.site.installations.get(param(call, 'login').toLowerCase());
  if (!installation) throw notFound();
  return ok(installationView(call.site, installation));
}

function findInstallation(call: Call): Installation {
  const id = numberParam(call, 'installation_id');
  const installation = [...call.site.installations.values()].find((candidate) => candidate.id === id);
  if (!installation) throw notFound();
  return installation;
}

const defaultDeliveries = 30;

/** Newest first, paged by the id of the last one seen, not by page number. */
function listDeliveries(call: Call): Reply {
  const { site, query } = call;
  const perPage = Math.min(Number(query.get('per_page') ?? defaultDeliveries), 100);
  const before = Number(query.get('cursor') ?? Number.POSITIVE_INFINITY);
  const status = query.get('status');
  const matching = site.webhooks
    .log()
    .filter(({ id, response }) => id < before && (status === null || response.status < 400 === (status === 'success')))
    .toReversed();
  const shown = matching.slice(0, perPage);
  const last = shown.at(-1);
  const next = new URLSearchParams(query);
  next.set('cursor', String(last?.id));
  const link = `<${site.url}/api/v3/app/hook/deliveries?${next.toString()}>; rel="next"`;
  return { status: 200, body: shown.map(deliveryView), headers: matching.length > shown.length ? { link } : {} };
}

async function redeliver(call: Call): Promise<Reply> {
  const { guid } = findDelivery(call);
  // The answer says that it will be sent; how it went is in the log.
  void call.site.webhooks.redeliver(guid);
  return { status: 202, body: {} };
}

function findDelivery(call: Call) {
  const id = numberParam(call, 'delivery_id');
  const delivery = call.site.webhooks.log().find((candidate) => candidate.id === id);
  if (!delivery) throw notFound();
  return delivery;
}
