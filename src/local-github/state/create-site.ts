import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { ensureUser } from './accounts.ts';
import type { App, Permissions, User } from './records.ts';
import type { Site } from './site.ts';

export interface AppDefinition {
  readonly slug: string;
  readonly permissions: Permissions;
  readonly events: readonly string[];
}

interface SiteOptions {
  readonly dataDir: string;
  readonly now: () => Date;
  readonly app: AppDefinition;
}

/** A site with nothing on it but the app. Its address and its webhooks come with the server. */
export async function createSite({ dataDir, now, app }: SiteOptions): Promise<Omit<Site, 'url' | 'webhooks'>> {
  let lastId = 1000;
  const nextId = () => (lastId += 1);
  const users = new Map<string, User>();
  return {
    now,
    nextId,
    dataDir,
    users,
    app: await createApp({ users, now, nextId }, app),
    repositories: new Map(),
    installations: new Map(),
    installationTokens: new Map(),
    userTokens: new Map(),
  };
}

async function createApp(
  site: Pick<Site, 'users' | 'now' | 'nextId'>,
  { slug, permissions, events }: AppDefinition,
): Promise<App> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    id: site.nextId(),
    slug,
    name: slug,
    owner: ensureUser(site, 'github-apps', 'Organization'),
    bot: ensureUser(site, `${slug}[bot]`, 'Bot'),
    privateKey,
    publicKey,
    webhookSecret: randomBytes(24).toString('hex'),
    webhookUrl: null,
    permissions,
    events,
    createdAt: site.now(),
  };
}
