import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { actorName, authenticate } from './authenticate.ts';
import type { Reply } from './route.ts';
import { matchRoute } from './route-table.ts';
import type { FaultBoard } from '../faults.ts';
import { isRefusal, notFound, refusal } from '../state/refusal.ts';
import type { Refusal } from '../state/refusal.ts';
import type { Actor, Site } from '../state/site.ts';

export interface RestRequest {
  readonly method: string;
  /** Below `/api/v3`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface Answered {
  readonly reply: Reply;
  readonly actor: string;
}

interface RestServer {
  readonly site: Site;
  readonly faultBoard: FaultBoard;
}

export const restPrefix = '/api/v3';

/** Answers a request below `/api/v3`; everything GitHub refuses becomes a reply. */
export async function answerRest({ site, faultBoard }: RestServer, request: RestRequest): Promise<Answered> {
  let actor: Actor = { kind: 'anonymous' };
  try {
    const { method, path } = request;
    actor = authenticate(site, request.headers.authorization);
    const withInstallationToken = actor.kind === 'installation';
    const struck = faultBoard.strikeRequest({ method, path, surface: 'rest', withInstallationToken });
    if (struck) throw struck;
    return { reply: await handle(site, actor, request), actor: actorName(actor) };
  } catch (error) {
    return { reply: refusalReply(isRefusal(error) ? error : serverError(error)), actor: actorName(actor) };
  }
}

/** Reads a request's JSON; `malformed` when it is none. */
export async function readRestRequest(request: IncomingMessage, url: URL): Promise<RestRequest> {
  const content = await buffer(request);
  return {
    method: request.method ?? 'GET',
    path: url.pathname.slice(restPrefix.length) || '/',
    query: url.searchParams,
    headers: request.headers,
    body: content.length === 0 ? undefined : parseJson(content),
  };
}

export function writeRestReply(site: Site, response: ServerResponse, { status, body, raw, headers }: Reply): void {
  const resetS = Math.ceil(site.now().getTime() / 1000) + 3600;
  const content = raw?.content ?? (body === undefined ? '' : JSON.stringify(body));
  response.writeHead(status, {
    ...(content !== '' && { 'content-type': raw?.type ?? 'application/json; charset=utf-8' }),
    'x-github-request-id': randomUUID(),
    'x-github-media-type': 'github.v3; format=json',
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': '4999',
    'x-ratelimit-used': '1',
    'x-ratelimit-reset': String(resetS),
    'x-ratelimit-resource': 'core',
    ...headers,
  });
  response.end(content);
}

const malformed = Symbol('malformed JSON');

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return malformed;
  }
}

async function handle(site: Site, actor: Actor, request: RestRequest): Promise<Reply> {
  const { method, path, query, body, headers } = request;
  const matched = matchRoute(method, path);
  if (!matched) throw notFound();
  if (body === malformed) throw refusal(400, 'Problems parsing JSON');
  const accept = headers.accept ?? '*/*';
  return matched.route.handle({ site, actor, path, params: matched.params, query, body, accept });
}

function refusalReply({ status, message, errors, headers }: Refusal): Reply {
  const body = {
    message,
    documentation_url: 'https://docs.github.com/rest',
    ...(errors && { errors }),
    status: String(status),
  };
  return { status, body, headers };
}

/** A fault of this server: the stack has to reach whoever develops against it, and only the answer can carry it. */
function serverError(error: unknown): Refusal {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return refusal(500, `The embedded GitHub failed: ${text}`);
}
