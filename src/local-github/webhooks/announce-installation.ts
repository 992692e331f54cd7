import { nodeId, timestamp } from '../views/schema.ts';
import { installationView, userView } from '../views/user-view.ts';
import type { Repository } from '../state/records.ts';
import type { Site } from '../state/site.ts';

// Every app gets these without subscribing.

/** `installation.created` for the first repository of an account, `installation_repositories.added` for the others. */
export function announceInstalledRepository(site: Site, repository: Repository, isFirst: boolean): void {
  const { installation, id, name, fullName } = repository;
  const repositories = [
    { id, node_id: nodeId('Repository', id), name, full_name: fullName, private: repository.private },
  ];
  const sender = userView(site, repository.owner);
  const event = isFirst ? 'installation' : 'installation_repositories';
  const action = isFirst ? 'created' : 'added';
  const details = isFirst
    ? { repositories, requester: null }
    : { repositories_added: repositories, repositories_removed: [], repository_selection: 'selected', requester: null };
  const payload = { action, installation: installationView(site, installation), ...details, sender };
  site.webhooks.enqueue({ event, action, payload, installationId: installation.id, repositoryId: null });
}

export function announcePing(site: Site): void {
  const { app } = site;
  const hook = {
    type: 'App',
    id: app.id,
    name: 'web',
    active: true,
    app_id: app.id,
    events: [...app.events],
    config: { content_type: 'json', insecure_ssl: '0', secret: '********', url: app.webhookUrl ?? '' },
    created_at: timestamp(app.createdAt),
    updated_at: timestamp(site.now()),
    deliveries_url: `${site.url}/api/v3/app/hook/deliveries`,
  };
  const payload = { zen: 'Practicality beats purity.', hook_id: app.id, hook };
  site.webhooks.enqueue({ event: 'ping', action: null, payload, installationId: null, repositoryId: null });
}
