import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRepository } from './actions/create-repository.ts';
import { createFaultBoard } from './faults.ts';
import type { FaultBoard, Faults } from './faults.ts';
import { writeGitConfiguration } from './git/run-git.ts';
import { answerRest, readRestRequest, restPrefix, writeRestReply } from './rest/serve-rest.ts';
import { parseGitAddress, serveGitRequest } from './serve-git-request.ts';
import { ensureUser } from './state/accounts.ts';
import { createSite } from './state/create-site.ts';
import type { AppDefinition } from './state/create-site.ts';
import type { DeliveryRecord, Role } from './state/records.ts';
import type { Site } from './state/site.ts';
import { issueUserToken } from './state/tokens.ts';
import { handleWebRequest } from './web/handle-web-request.ts';
import { announcePing } from './webhooks/announce-installation.ts';
import { createWebhookQueue } from './webhooks/webhook-queue.ts';

export interface LocalGithubOptions {
  /** Existing directory that receives the bare repositories; nothing is written outside it. */
  readonly dataDir: string;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  readonly now?: () => Date;
  /** The app that is installed everywhere, with no more rights than its manifest asks for. */
  readonly app?: Partial<AppDefinition>;
}

/** An exchange over `/api/v3`, as the contract tests see it. */
export interface RestExchange {
  readonly method: string;
  /** Below `/api/v3`, with the query string. */
  readonly path: string;
  readonly requestBody: unknown;
  readonly status: number;
  readonly responseBody: unknown;
  /** False when a diff, a patch or a raw file was asked for; then there is no `responseBody`. */
  readonly isJson: boolean;
  /** A login, `app` for the app's own JWT, or `anonymous`. */
  readonly actor: string;
}

/** A GitHub Enterprise Server on loopback: REST under `/api/v3`, git under `/<owner>/<repo>.git`, pages under `/<owner>/<repo>`. */
export interface LocalGithub {
  /** `http://127.0.0.1:<port>`; never `localhost`, which costs a failed IPv6 connection first. */
  readonly url: string;
  /** `127.0.0.1:<port>`, fit for `GHE_HOST`. */
  readonly host: string;
  readonly app: {
    readonly id: number;
    readonly slug: string;
    /** PEM. */
    readonly privateKey: string;
    readonly webhookSecret: string;
  };
  /** Where the app's webhooks go from now on; sends a `ping` there. Without a URL no webhook is sent or logged. */
  setWebhookUrl(url: string): void;
  createUser(login: string): void;
  /**
   * Makes the repository and installs the app on it. `owner` becomes an organisation unless it is a user already.
   * A user who owns a repository is its admin.
   */
  createRepository(input: NewRepository): Promise<{ cloneUrl: string; htmlUrl: string }>;
  /** `repository` is `owner/name`. Makes the user when there is none. */
  grant(input: { readonly repository: string; readonly login: string; readonly permission: Role }): void;
  /** A token that acts as that person over REST and git. */
  userToken(login: string): string;
  readonly faults: Faults;
  /** Every delivery attempt, oldest first. */
  deliveries(): readonly DeliveryRecord[];
  redeliver(guid: string): Promise<void>;
  /** Resolves when no webhook is queued or in flight; those held by a fault do not count. */
  idle(): Promise<void>;
  /** Calls the listener after every REST exchange; returns how to stop it. */
  onExchange(listener: (exchange: RestExchange) => void): () => void;
  close(): Promise<void>;
}

export interface NewRepository {
  readonly owner: string;
  readonly name: string;
  /** The imported repository's current branch, else `main`. */
  readonly defaultBranch?: string;
  readonly private?: boolean;
  /** Path of a bare or normal repository to take every branch and tag from. */
  readonly importFrom?: string;
}

export type { DeliveryRecord, Faults };

const defaultApp: AppDefinition = {
  slug: 'refactor-bot',
  permissions: { checks: 'write', contents: 'write', issues: 'write', metadata: 'read', pull_requests: 'write' },
  events: [
    'check_run',
    'create',
    'delete',
    'issue_comment',
    'issues',
    'pull_request',
    'pull_request_review',
    'pull_request_review_comment',
    'push',
  ],
};

/** Starts a GitHub with nothing on it but the app. */
export async function startLocalGithub(options: LocalGithubOptions): Promise<LocalGithub> {
  const { dataDir, port = 0, now = () => new Date() } = options;
  await writeGitConfiguration(dataDir);
  const facts = await createSite({ dataDir, now, app: { ...defaultApp, ...options.app } });
  const faultBoard = createFaultBoard();
  const webhooks = createWebhookQueue({ app: facts.app, faultBoard, now, nextId: facts.nextId });
  const server = createServer();
  const host = `127.0.0.1:${await listen(server, port)}`;
  const site: Site = { ...facts, webhooks, url: `http://${host}` };
  const listeners = new Set<ExchangeListener>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    serve({ site, faultBoard, listeners }, request, response).catch((error: unknown) => fail(response, error));
  });
  return {
    ...administration(site),
    host,
    faults: faultBoard.faults,
    onExchange: subscribe(listeners),
    close: async () => stop(server, site),
  };
}

type ExchangeListener = (exchange: RestExchange) => void;
type Administration = Omit<LocalGithub, 'host' | 'faults' | 'onExchange' | 'close'>;

/** What the owner of the server does without asking anybody. */
function administration(site: Site): Administration {
  const { id, slug, privateKey, webhookSecret } = site.app;
  return {
    url: site.url,
    app: { id, slug, privateKey, webhookSecret },
    setWebhookUrl: (url) => {
      site.app.webhookUrl = url;
      announcePing(site);
    },
    createUser: (login) => void ensureUser(site, login),
    createRepository: async (input) => {
      const { fullName } = await createRepository(site, input);
      return { cloneUrl: `${site.url}/${fullName}.git`, htmlUrl: `${site.url}/${fullName}` };
    },
    grant: ({ repository, login, permission }) => {
      const found = site.repositories.get(repository.toLowerCase());
      if (!found) throw new Error(`There is no repository ${repository}; create it before granting access to it`);
      found.roles.set(ensureUser(site, login).login.toLowerCase(), permission);
    },
    userToken: (login) => issueUserToken(site, ensureUser(site, login)),
    deliveries: () => site.webhooks.log(),
    redeliver: async (guid) => site.webhooks.redeliver(guid),
    idle: async () => site.webhooks.idle(),
  };
}

interface Serving {
  readonly site: Site;
  readonly faultBoard: FaultBoard;
  readonly listeners: ReadonlySet<ExchangeListener>;
}

async function serve(
  { site, faultBoard, listeners }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', site.url);
  const address = parseGitAddress(url);
  if (address) return serveGitRequest(site, { faultBoard, address, request, response });
  if (!url.pathname.startsWith(`${restPrefix}/`) && url.pathname !== restPrefix)
    return handleWebRequest(site, request, response);
  const restRequest = await readRestRequest(request, url);
  const { reply, actor } = await answerRest({ site, faultBoard }, restRequest);
  const { method, body: requestBody } = restRequest;
  const { status, body: responseBody } = reply;
  const path = `${restRequest.path}${url.search}`;
  for (const listener of listeners) {
    listener({ method, path, requestBody, status, responseBody, isJson: reply.raw === undefined, actor });
  }
  writeRestReply(site, response, reply);
}

function fail(response: ServerResponse, error: unknown): void {
  if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
  response.end(
    `The embedded GitHub failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}

function subscribe(listeners: Set<ExchangeListener>): LocalGithub['onExchange'] {
  return (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The embedded GitHub listens on no port');
  return address.port;
}

async function stop(server: Server, site: Site): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await Promise.all([closed, site.webhooks.close()]);
}
