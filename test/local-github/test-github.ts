import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import { execa } from 'execa';
import { ProbotOctokit } from 'probot';

import { startLocalGithub } from '../../src/local-github/start-local-github.ts';
import type { LocalGithub } from '../../src/local-github/start-local-github.ts';
import { watchContract } from '../support/watch-contract.ts';

/** What the tests read of payloads; the contract checks the rest. */
interface Payload {
  readonly [name: string]: unknown;
  readonly action?: string;
  readonly sender: { readonly login: string; readonly type: string };
  readonly issue?: { readonly title: string };
  readonly label?: { readonly name: string };
}

export interface Received {
  readonly event: string;
  readonly action: string | undefined;
  readonly guid: string;
  readonly signatureIsValid: boolean;
  readonly headers: Record<string, string>;
  readonly payload: Payload;
}

export interface TestGithub {
  readonly github: LocalGithub;
  /** What the app's webhook URL received, in order. */
  readonly received: Received[];
  /** `event.action` of what was received, oldest first. */
  events(): Promise<string[]>;
  /** Statuses that the receiver answers next; 200 when there are none. */
  readonly answers: number[];
  /** How requests, responses and payloads so far deviate from GitHub's description. */
  violations(): string[];
  /** As that person. */
  as(login: string): ProbotOctokit;
  /** With the app's JWT. */
  app(): ProbotOctokit;
  /** As the app's installation on the owner, optionally with less than it may. */
  bot(owner: string, narrowed?: object): Promise<ProbotOctokit>;
  botToken(owner: string, narrowed?: object): Promise<string>;
  /** Runs git, hermetic, in a folder of its own, with a token in the way that leaves no trace. */
  git(args: readonly string[], options?: { cwd?: string; token?: string }): Promise<string>;
  readonly workDir: string;
  /** `git fsck --strict` on the bare repository. */
  fsck(fullName: string): Promise<void>;
  close(): Promise<void>;
}

/** The repository `acme/widgets` with one commit on `trunk`, its admin `maya`, its reader `rob`, and a listening app. */
export async function startTestGithub(options: { now?: () => Date } = {}): Promise<TestGithub> {
  const root = await mkdtemp(path.join(tmpdir(), 'local-github-'));
  const github = await startLocalGithub({ dataDir: root, ...options });
  const receiver = await startReceiver(github.app.webhookSecret);
  const violations = watchContract(github);
  const workDir = await mkdtemp(path.join(tmpdir(), 'local-github-work-'));
  const git = createGit(workDir);
  github.createUser('maya');
  const { cloneUrl } = await github.createRepository({ owner: 'acme', name: 'widgets', defaultBranch: 'trunk' });
  github.grant({ repository: 'acme/widgets', login: 'maya', permission: 'admin' });
  github.createUser('rob');
  await pushFirstCommit(git, path.join(workDir, 'first'), { cloneUrl, token: github.userToken('maya') });
  github.setWebhookUrl(receiver.url);
  await github.idle();
  receiver.received.length = 0;
  const octokit = (auth: object) => createOctokit(github, auth);
  const { id: appId, privateKey } = github.app;
  const app = () => octokit({ appId, privateKey });
  const botToken = async (owner: string, narrowed: object = {}) => {
    const { data: installation } = await app().rest.apps.getOrgInstallation({ org: owner });
    const { data } = await app().rest.apps.createInstallationAccessToken({
      installation_id: installation.id,
      ...narrowed,
    });
    return data.token;
  };
  return {
    github,
    received: receiver.received,
    answers: receiver.answers,
    workDir,
    git,
    app,
    botToken,
    events: async () => {
      await github.idle();
      return receiver.received.map(({ event, action }) => [event, action].filter(Boolean).join('.'));
    },
    violations,
    as: (login) => octokit({ token: github.userToken(login) }),
    bot: async (owner, narrowed) => octokit({ token: await botToken(owner, narrowed) }),
    fsck: async (fullName) => {
      await execa('git', ['fsck', '--strict', '--full'], { cwd: path.join(root, `${fullName}.git`) });
    },
    close: async () => {
      await github.close();
      await receiver.close();
      await Promise.all([root, workDir].map(async (folder) => rm(folder, { recursive: true })));
    },
  };
}

function createOctokit(github: LocalGithub, auth: object): ProbotOctokit {
  return new ProbotOctokit({
    auth,
    baseUrl: `${github.url}/api/v3`,
    throttle: { enabled: false },
    retry: { enabled: false },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
}

type RunGit = TestGithub['git'];

function createGit(workDir: string): RunGit {
  return async (args, { cwd = workDir, token } = {}) => {
    const authorization = Buffer.from(`x-access-token:${token ?? ''}`).toString('base64');
    const header = { key: 'http.extraheader', value: `Authorization: Basic ${authorization}` };
    const settings = [
      { key: 'user.name', value: 'maya' },
      { key: 'user.email', value: 'maya@example.com' },
      ...(token === undefined ? [] : [header]),
    ];
    const env = Object.fromEntries(
      settings.flatMap(({ key, value }, index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    );
    const hermetic = {
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
    };
    const { stdout } = await execa('git', args, {
      cwd,
      env: { ...hermetic, ...env, GIT_CONFIG_COUNT: String(settings.length) },
    });
    return stdout;
  };
}

async function pushFirstCommit(git: RunGit, folder: string, { cloneUrl, token }: { cloneUrl: string; token: string }) {
  await git(['init', '-q', '-b', 'trunk', folder]);
  await mkdir(path.join(folder, 'src'));
  await writeFile(path.join(folder, 'README.md'), '# Widgets\n');
  await writeFile(path.join(folder, 'src/lines.txt'), lines());
  await git(['add', '.'], { cwd: folder });
  await git(['commit', '-q', '-m', 'Start'], { cwd: folder });
  await git(['push', '-q', cloneUrl, 'trunk'], { cwd: folder, token });
}

/** Twenty numbered lines, of which some are replaced. */
export function lines(replaced: Record<number, string> = {}): string {
  return Array.from({ length: 20 }, (_, index) => `${replaced[index + 1] ?? `line ${index + 1}`}\n`).join('');
}

async function receive(request: IncomingMessage, secret: string): Promise<Received> {
  const body = await text(request);
  const headers = request.headers as Record<string, string>;
  const payload = JSON.parse(body) as Payload;
  return {
    event: headers['x-github-event'] ?? '',
    action: payload.action,
    guid: headers['x-github-delivery'] ?? '',
    signatureIsValid:
      headers['x-hub-signature-256'] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    headers,
    payload,
  };
}

async function startReceiver(secret: string) {
  const received: Received[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    void receive(request, secret).then((delivery) => {
      received.push(delivery);
      return response.writeHead(answers.shift() ?? 200).end('ok');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answers,
    close: async () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
