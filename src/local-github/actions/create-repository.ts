import path from 'node:path';
import { createBareRepository } from '../git/create-repository.ts';
import { ensureUser } from '../state/accounts.ts';
import type { Installation, Repository, User } from '../state/records.ts';
import type { Site } from '../state/site.ts';
import { announceInstalledRepository } from '../webhooks/announce-installation.ts';

interface NewRepository {
  readonly owner: string;
  readonly name: string;
  readonly defaultBranch?: string | undefined;
  readonly private?: boolean | undefined;
  readonly importFrom?: string | undefined;
}

/** Makes a repository, imports into it where asked, and installs the app on it. Seeding only: it checks nobody's rights. */
export async function createRepository(site: Site, input: NewRepository): Promise<Repository> {
  const { name, defaultBranch, importFrom } = input;
  const fullName = `${input.owner}/${name}`;
  if (!/^[\w.-]+$/.test(name) || /^\.{1,2}$|\.git$/.test(name))
    throw new Error(`"${name}" is no name that GitHub allows for a repository`);
  if (site.repositories.has(fullName.toLowerCase()))
    throw new Error(`The repository ${fullName} exists already; choose another name`);
  const owner = ensureUser(site, input.owner, 'Organization');
  const directory = path.join(site.dataDir, owner.login, `${name}.git`);
  const bare = await createBareRepository(directory, { defaultBranch, importFrom });
  const isFirst = !site.installations.has(owner.login.toLowerCase());
  const now = site.now();
  const repository: Repository = {
    id: site.nextId(),
    owner,
    name,
    fullName: `${owner.login}/${name}`,
    private: input.private ?? false,
    defaultBranch: bare.defaultBranch,
    directory,
    installation: ensureInstallation(site, owner),
    createdAt: now,
    updatedAt: now,
    pushedAt: now,
    roles: new Map(owner.type === 'User' ? [[owner.login.toLowerCase(), 'admin']] : []),
    labels: new Map(),
    issues: new Map(),
    checkRuns: new Map(),
    checkSuites: new Map(),
  };
  site.repositories.set(fullName.toLowerCase(), repository);
  announceInstalledRepository(site, repository, isFirst);
  return repository;
}

function ensureInstallation(site: Site, account: User): Installation {
  const key = account.login.toLowerCase();
  const existing = site.installations.get(key);
  if (existing) return existing;
  const installation: Installation = { id: site.nextId(), account, createdAt: site.now() };
  site.installations.set(key, installation);
  return installation;
}
