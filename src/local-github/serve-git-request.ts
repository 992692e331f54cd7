import type { IncomingMessage, ServerResponse } from 'node:http';
import { authorise, authoriseReading } from './actions/authorise.ts';
import { lockRefs } from './actions/lock-refs.ts';
import { recordRefChanges } from './actions/record-ref-changes.ts';
import type { FaultBoard } from './faults.ts';
import { serveGit } from './git/http-backend.ts';
import { compareRefs, listRefs } from './git/refs.ts';
import { authenticate } from './rest/authenticate.ts';
import { findRepository } from './state/find-records.ts';
import type { Repository } from './state/records.ts';
import { isRefusal, refusal } from './state/refusal.ts';
import type { Refusal } from './state/refusal.ts';
import type { Actor, Site } from './state/site.ts';

export interface GitAddress {
  readonly fullName: string;
  readonly servicePath: string;
  readonly query: string;
  readonly writes: boolean;
}

/** What a URL asks of git; null when it is not git's. Like GitHub, the repository may be named with or without `.git`. */
export function parseGitAddress(url: URL): GitAddress | null {
  const match = /^\/([^/]+\/[^/]+?)(?:\.git)?(\/info\/refs|\/git-upload-pack|\/git-receive-pack)$/.exec(url.pathname);
  const [, fullName, servicePath] = match ?? [];
  if (fullName === undefined || servicePath === undefined) return null;
  const service = servicePath === '/info/refs' ? url.searchParams.get('service') : servicePath.slice(1);
  // The old protocol, without a service, would need a file server on the repository.
  if (service !== 'git-upload-pack' && service !== 'git-receive-pack') return null;
  return { fullName, servicePath, query: url.search.slice(1), writes: service === 'git-receive-pack' };
}

interface GitRequest {
  readonly faultBoard: FaultBoard;
  readonly address: GitAddress;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers git over HTTP: who may read or write, then git itself, then the events of what a push changed. */
export async function serveGitRequest(
  site: Site,
  { faultBoard, address, request, response }: GitRequest,
): Promise<void> {
  try {
    const actor = authenticate(site, request.headers.authorization);
    strike(faultBoard, request, actor);
    const repository = findGitRepository(site, actor, address);
    if (address.writes) await servePush(site, { actor, repository, address, request, response });
    else await serveFetch({ actor, repository, address, request, response });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    refuse(response, error);
  }
}

interface AuthenticatedRequest extends Omit<GitRequest, 'faultBoard'> {
  readonly actor: Actor;
  readonly repository: Repository;
}

async function serveFetch({ actor, repository, address, request, response }: AuthenticatedRequest): Promise<void> {
  authoriseReading(actor, repository, 'see contents');
  const { directory } = repository;
  await serveGit(request, response, { ...address, directory, pusher: null, beforeEnd: async () => {} });
}

async function servePush(
  site: Site,
  { actor, repository, address, request, response }: AuthenticatedRequest,
): Promise<void> {
  const { user } = authorise(actor, repository, 'write contents');
  const { directory } = repository;
  const service = { ...address, directory, pusher: user.login };
  if (request.method === 'GET') {
    await serveGit(request, response, { ...service, beforeEnd: async () => {} });
    return;
  }
  await lockRefs(repository, async () => {
    const before = await listRefs(directory);
    const beforeEnd = async () => {
      const changes = compareRefs(before, await listRefs(directory));
      await recordRefChanges(site, { repository, sender: user }, changes);
    };
    await serveGit(request, response, { ...service, beforeEnd });
  });
}

function strike(faultBoard: FaultBoard, request: IncomingMessage, actor: Actor): void {
  const withInstallationToken = actor.kind === 'installation';
  const { method = 'GET', url: path = '/' } = request;
  const struck = faultBoard.strikeRequest({ method, path, surface: 'git', withInstallationToken });
  if (struck) throw struck;
}

/** Git asks for credentials only when told to, so whoever came without any is told before anything else. */
function findGitRepository(site: Site, actor: Actor, { fullName, writes }: GitAddress): Repository {
  try {
    const repository = findRepository(site, actor, fullName);
    if (actor.kind === 'anonymous' && writes) throw refusal(401, 'Authentication required');
    return repository;
  } catch (error) {
    throw actor.kind === 'anonymous' && isRefusal(error) ? refusal(401, 'Authentication required') : error;
  }
}

function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    ...(status === 401 && { 'www-authenticate': 'Basic realm="GitHub"' }),
    ...headers,
  });
  response.end(`${message}\n`);
}
