import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import type { Settings } from '../../src/config/settings.ts';
import { watchContract } from './watch-contract.ts';
import { startLocalGithub, type LocalGithub } from '../../src/local-github/start-local-github.ts';

/** One repository of a world, as a maintainer and as git see it. */
export interface Hosted {
  /** `acme/library`. */
  readonly repository: string;
  /** Acts as the maintainer over REST; answers the parsed body, throws for an error status. */
  readonly rest: <Answer = unknown>(method: string, path: string, body?: unknown) => Promise<Answer>;
  /** Any path of the embedded GitHub's REST interface as any person: the status and body, whatever they are. */
  readonly as: (
    login: string,
  ) => (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;
  /** git in the bare repository that the embedded GitHub serves. */
  readonly git: (...args: string[]) => Promise<string>;
}

/** A GitHub on loopback with a repository, and the settings of a bot that serves it. The bot is started by whoever asks. */
export interface World extends Hosted {
  readonly github: LocalGithub;
  readonly folder: string;
  readonly settings: Settings;
  /** What the bot sent or GitHub answered that GitHub's own description does not allow. */
  violations(): string[];
  addRepository(name: string, files: Readonly<Record<string, string>>): Promise<Hosted>;
  close(): Promise<void>;
}

export const MAINTAINER = 'mara';
const OWNER = 'acme';

export interface WorldOptions {
  /** Text by path; a package with a `node --test` suite, if the bot is to find checks. */
  readonly files: Readonly<Record<string, string>>;
  readonly name?: string;
  readonly defaultBranch?: string;
  readonly databaseUrl?: string | null;
  readonly driver?: Settings['sandbox']['driver'];
}

export async function makeWorld(options: WorldOptions): Promise<World> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'refactor-bot-test-'));
  // When root runs the tests, commands run as another user, who must be able to pass through.
  await chmod(folder, 0o711);
  const hosted = path.join(folder, 'github');
  await mkdir(hosted);
  const github = await startLocalGithub({ dataDir: hosted });
  github.createUser(MAINTAINER);
  const add = (name: string, files: Readonly<Record<string, string>>, defaultBranch = 'main') =>
    host({ github, folder, name, files, defaultBranch });
  return {
    ...(await add(options.name ?? 'library', options.files, options.defaultBranch)),
    github,
    folder,
    settings: settingsFor(github, folder, options),
    violations: watchContract(github),
    addRepository: (name, files) => add(name, files),
    close: async () => {
      await github.idle();
      await github.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function host(wanted: {
  readonly github: LocalGithub;
  readonly folder: string;
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly defaultBranch: string;
}): Promise<Hosted> {
  const { github, folder, name, defaultBranch } = wanted;
  const repository = `${OWNER}/${name}`;
  const seed = await makeRepository(path.join(folder, 'seeds', name), wanted.files, defaultBranch);
  await github.createRepository({ owner: OWNER, name, defaultBranch, importFrom: seed });
  github.grant({ repository, login: MAINTAINER, permission: 'maintain' });
  const as = (login: string) => {
    const token = github.userToken(login);
    return async (method: string, where: string, body?: unknown) => {
      const response = await fetch(`${github.url}/api/v3/repos/${repository}/${where}`, {
        method,
        headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    };
  };
  const call = as(MAINTAINER);
  return {
    repository,
    rest: async <Answer>(method: string, where: string, body?: unknown) => {
      const answer = await call(method, where, body);
      if (answer.status >= 400) throw new Error(`${method} ${where}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as Answer;
    },
    as,
    git: async (...args) => {
      const gitDir = path.join(folder, 'github', OWNER, `${name}.git`);
      return (await execa('git', ['--git-dir', gitDir, ...args])).stdout;
    },
  };
}

function settingsFor(github: LocalGithub, folder: string, options: WorldOptions): Settings {
  return {
    app: { id: github.app.id, privateKey: github.app.privateKey, webhookSecret: github.app.webhookSecret },
    gitHost: { host: github.host, protocol: 'http' },
    apiUrl: `${github.url}/api/v3`,
    listen: { host: '127.0.0.1', port: 0 },
    logLevel: 'error',
    databaseUrl: options.databaseUrl ?? null,
    dataDir: path.join(folder, 'bot'),
    sandbox: { driver: options.driver ?? 'none', user: process.getuid?.() === 0 ? { uid: 61_184, gid: 61_184 } : null },
    registryUrl: process.env['npm_config_registry'] ?? null,
    registryHosts: [],
    extraCaCertificates: process.env['NODE_EXTRA_CA_CERTS'] ?? null,
    operatorOptions: {},
    caps: { maxBatches: null, runMinutes: null, checkMinutes: null },
    workers: 1,
  };
}

/** A git repository with one commit that holds these files; an empty one has no commit. */
export async function makeRepository(
  folder: string,
  files: Readonly<Record<string, string>>,
  branch = 'main',
): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  const env = {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Mara',
    GIT_AUTHOR_EMAIL: 'mara@example.test',
    GIT_COMMITTER_NAME: 'Mara',
    GIT_COMMITTER_EMAIL: 'mara@example.test',
    GIT_AUTHOR_DATE: '2026-01-05T10:00:00Z',
    GIT_COMMITTER_DATE: '2026-01-05T10:00:00Z',
  };
  await execa('git', ['init', '--quiet', `--initial-branch=${branch}`, '--template='], { cwd: folder, env });
  if (Object.keys(files).length > 0) {
    await execa('git', ['add', '--all'], { cwd: folder, env });
    await execa('git', ['commit', '--quiet', '--message=First'], { cwd: folder, env });
  }
  return folder;
}
