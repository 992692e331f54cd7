import { nodeId, timestamp } from './schema.ts';
import type { Schema } from './schema.ts';
import type { App, Installation, User } from '../state/records.ts';
import type { Site } from '../state/site.ts';

type Kind = 'User' | 'Organization' | 'Bot';

export function userView(site: Site, user: User): Schema<'simple-user'> & { type: Kind; gravatar_id: string } {
  const url = `${site.url}/api/v3/users/${encodeURIComponent(user.login)}`;
  return {
    login: user.login,
    id: user.id,
    node_id: nodeId(user.type, user.id),
    avatar_url: `${site.url}/avatars/u/${user.id}`,
    gravatar_id: '',
    url,
    html_url: user.type === 'Bot' ? `${site.url}/apps/${site.app.slug}` : `${site.url}/${user.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: user.type,
    site_admin: false,
  };
}

/** The profile, as `GET /users/:login` and `GET /user` show it. */
export function profileView(site: Site, user: User): Schema<'public-user'> {
  const owned = [...site.repositories.values()].filter(
    (repository) => repository.owner === user && !repository.private,
  );
  return {
    ...userView(site, user),
    name: null,
    company: null,
    blog: null,
    location: null,
    email: null,
    hireable: null,
    bio: null,
    public_repos: owned.length,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: timestamp(user.createdAt),
    updated_at: timestamp(user.createdAt),
  };
}

export function organizationView(site: Site, account: User): Schema<'organization-simple-webhooks'> {
  const url = `${site.url}/api/v3/orgs/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type, account.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${site.url}/avatars/u/${account.id}`,
    description: null,
  };
}

export function appView(site: Site, app: App = site.app): NonNullable<Schema<'integration'>> {
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId('App', app.id),
    client_id: `Iv1.${app.id}`,
    owner: userView(site, app.owner),
    name: app.name,
    description: null,
    external_url: `${site.url}/apps/${app.slug}`,
    html_url: `${site.url}/apps/${app.slug}`,
    created_at: timestamp(app.createdAt),
    updated_at: timestamp(app.createdAt),
    permissions: app.permissions,
    events: [...app.events],
  };
}

export function installationView(site: Site, installation: Installation): Schema<'installation'> {
  const { account } = installation;
  const url = `${site.url}/api/v3/app/installations/${installation.id}`;
  return {
    id: installation.id,
    account: userView(site, account),
    repository_selection: 'selected',
    access_tokens_url: `${url}/access_tokens`,
    repositories_url: `${site.url}/api/v3/installation/repositories`,
    html_url: `${site.url}/settings/installations/${installation.id}`,
    app_id: site.app.id,
    client_id: `Iv1.${site.app.id}`,
    app_slug: site.app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: site.app.permissions,
    events: [...site.app.events],
    created_at: timestamp(installation.createdAt),
    updated_at: timestamp(installation.createdAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: null,
  };
}
