import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { loadRegistrySettings } from '../../config/load-settings.ts';
import { seedRepository, type Seed } from './seed-repository.ts';
import { startLocalGithub, type LocalGithub } from '../../local-github/start-local-github.ts';
import type { DemoOptions } from './demo-options.ts';
import type { Settings } from '../../config/settings.ts';

/** Everything of a demo but the bot: a GitHub on loopback with one repository, and the settings of a bot that serves it. */
export interface DemoWorld {
  readonly github: LocalGithub;
  readonly owner: string;
  readonly maintainer: string;
  readonly seed: Seed;
  readonly settings: Settings;
  close(): Promise<void>;
}

const OWNER = 'acme';
const MAINTAINER = 'mara';
/** When root starts the demo, the sandbox runs as a user that owns nothing; else as whoever starts it. */
export const DEMO_SANDBOX_USER = process.getuid?.() === 0 ? { uid: 61_184, gid: 61_184 } : null;

export async function makeDemoWorld(options: DemoOptions, sandbox: Settings['sandbox']['driver']): Promise<DemoWorld> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'refactor-bot-demo-'));
  // When root starts the demo, commands run as another user, who must be able to pass through.
  await chmod(folder, 0o711);
  try {
    const seed = await seedRepository(options, folder);
    const hosted = path.join(folder, 'github');
    await mkdir(hosted);
    const github = await startLocalGithub({ dataDir: hosted });
    github.createUser(MAINTAINER);
    await github.createRepository({
      owner: OWNER,
      name: seed.name,
      defaultBranch: seed.defaultBranch,
      importFrom: seed.folder,
    });
    github.grant({ repository: `${OWNER}/${seed.name}`, login: MAINTAINER, permission: 'maintain' });
    const close = async () => {
      await github.close();
      await rm(folder, { recursive: true, force: true });
    };
    const settings = settingsFor(github, path.join(folder, 'bot'), sandbox);
    return { github, owner: OWNER, maintainer: MAINTAINER, seed, settings, close };
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw thrown;
  }
}

function settingsFor(github: LocalGithub, dataDir: string, driver: Settings['sandbox']['driver']): Settings {
  return {
    app: { id: github.app.id, privateKey: github.app.privateKey, webhookSecret: github.app.webhookSecret },
    gitHost: { host: github.host, protocol: 'http' },
    apiUrl: `${github.url}/api/v3`,
    listen: { host: '127.0.0.1', port: 0 },
    logLevel: 'error',
    databaseUrl: null,
    dataDir,
    sandbox: { driver, user: DEMO_SANDBOX_USER },
    ...loadRegistrySettings(),
    operatorOptions: {},
    caps: { maxBatches: null, runMinutes: null, checkMinutes: null },
    workers: 1,
  };
}
