import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ProbotOctokit } from 'probot';

import { createGithubHost, type CodeHost } from '../../src/code-host/github-host.ts';
import { createProbot } from '../../src/code-host/create-probot.ts';
import type { RepositoryRef } from '../../src/domain/repository.ts';
import { startLocalGithub, type LocalGithub } from '../../src/local-github/start-local-github.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createGithubContract } from './github-contract.ts';

const contract = createGithubContract();

type Permissions = Readonly<Record<string, 'read' | 'write'>>;

export interface OpenCodeHost {
  readonly github: LocalGithub;
  readonly host: CodeHost;
  readonly repository: RepositoryRef;
  /** As its maintainer, `maya`. */
  readonly maya: ProbotOctokit;
  /** The adapters as another process would have them, remembering nothing. */
  reopen(): Promise<CodeHost>;
  /** How the requests of the app deviate from GitHub's own description. */
  violations(): readonly string[];
  /** `METHOD /path` of what the app asked for, oldest first. */
  requests(): readonly string[];
  close(): Promise<void>;
}

/** The code host adapters on the embedded GitHub: `acme/widgets`, one commit on `trunk`, the app with these permissions. */
export async function openCodeHost(
  options: { readonly permissions?: Permissions; readonly paceRequests?: boolean } = {},
): Promise<OpenCodeHost> {
  const dataDir = await mkdtemp(join(tmpdir(), 'code-host-'));
  const permissions = options.permissions;
  const github = await startLocalGithub({ dataDir, ...(permissions === undefined ? {} : { app: { permissions } }) });
  const { cloneUrl } = await github.createRepository({ owner: 'acme', name: 'widgets', defaultBranch: 'trunk' });
  github.grant({ repository: 'acme/widgets', login: 'maya', permission: 'admin' });
  const maya = actAs(github, github.userToken('maya'));
  await maya.rest.repos.createOrUpdateFileContents({
    owner: 'acme',
    repo: 'widgets',
    path: 'README.md',
    message: 'first',
    content: Buffer.from('# widgets\n').toString('base64'),
  });

  const found: string[] = [];
  const asked: string[] = [];
  github.onExchange(({ actor, method, path, requestBody }) => {
    if (actor !== 'app' && !actor.endsWith('[bot]')) return;
    asked.push(`${method} ${path}`);
    found.push(...contract.checkRequest({ method, path, body: requestBody }));
  });

  const logger = createLogger({ level: 'error' });
  const openProbot = () =>
    createProbot({
      app: github.app,
      apiUrl: `${github.url}/api/v3`,
      logger,
      paceRequests: options.paceRequests ?? false,
    });
  const probot = await openProbot();
  const app = await probot.auth();
  const installed = await app.rest.apps.listInstallations();
  const installationId = installed.data[0]?.id ?? 0;
  return {
    github,
    host: createGithubHost(probot, github.app.id),
    reopen: async () => createGithubHost(await openProbot(), github.app.id),
    repository: { owner: 'acme', name: 'widgets', installationId, cloneUrl, defaultBranch: 'trunk', private: false },
    maya,
    violations: () => found,
    requests: () => asked,
    close: async () => {
      await github.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export function actAs(github: LocalGithub, token: string): ProbotOctokit {
  const Octokit = ProbotOctokit.defaults((defaults: object) => ({
    ...defaults,
    throttle: { enabled: false },
    retry: { enabled: false },
  }));
  return new Octokit({ baseUrl: `${github.url}/api/v3`, auth: { token } });
}
