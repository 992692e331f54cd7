import type { ZodType } from 'zod';
import { authoriseReading } from '../actions/authorise.ts';
import type { Access } from '../actions/authorise.ts';
import { findRepository } from '../state/find-records.ts';
import type { Repository } from '../state/records.ts';
import { notFound, refusal } from '../state/refusal.ts';
import type { Actor, Site } from '../state/site.ts';

export interface Call {
  readonly site: Site;
  readonly actor: Actor;
  /** Below `/api/v3`, without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined when there was none. */
  readonly body: unknown;
  /** The `Accept` header. */
  readonly accept: string;
}

export interface RepositoryCall extends Call {
  readonly repository: Repository;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  /** Sent as it is instead of JSON. */
  readonly raw?: { readonly content: Buffer | string; readonly type: string };
  readonly headers?: Readonly<Record<string, string>>;
}

type Handler<SomeCall extends Call> = (call: SomeCall) => Reply | Promise<Reply>;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Route {
  readonly method: Method;
  readonly pattern: string;
  readonly handle: Handler<Call>;
}

/** `:name` in a pattern stands for one segment of the path, `*name` for the rest of it. */
export function route(method: Method, pattern: string, handle: Handler<Call>): Route {
  return { method, pattern, handle };
}

interface RepositoryRoute {
  /** Below `/repos/:owner/:repo`. */
  readonly pattern: string;
  /** What reading needs. Left out for what writes, where the action itself asks who may. */
  readonly access?: Access;
}

/** A route below a repository that the actor can see. */
export function repositoryRoute(
  method: Method,
  { pattern, access }: RepositoryRoute,
  handle: Handler<RepositoryCall>,
): Route {
  return route(method, `/repos/:owner/:repo${pattern}`, async (call) => {
    const repository = findRepository(call.site, call.actor, `${param(call, 'owner')}/${param(call, 'repo')}`);
    if (access !== undefined) authoriseReading(call.actor, repository, access);
    return handle({ ...call, repository });
  });
}

export function param(call: Call, name: string): string {
  const value = call.params[name];
  if (value === undefined) throw new Error(`The route of ${call.path} has no parameter "${name}"`);
  return value;
}

/** A number in the path; what is none names nothing. */
export function numberParam(call: Call, name: string): number {
  const number = Number(param(call, name));
  if (!Number.isSafeInteger(number)) throw notFound();
  return number;
}

/** The body in the expected shape, or GitHub's 422. Unknown properties are dropped, as GitHub does. */
export function readBody<Shape>(call: Call, schema: ZodType<Shape>): Shape {
  const result = schema.safeParse(call.body ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw refusal(422, `Invalid request.\n\nFor '${issue?.path.join('/') ?? ''}': ${issue?.message ?? 'not valid'}.`);
}

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

export function created(body: unknown): Reply {
  return { status: 201, body };
}

export const noContent: Reply = { status: 204 };

const defaultPerPage = 30;
const mostPerPage = 100;

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly headers: Readonly<Record<string, string>>;
}

/** The part of a list that was asked for, with the `Link` header to the others. */
export function paginate<Item>(call: Call, all: readonly Item[]): Page<Item> {
  const perPage = Math.min(positive(call.query.get('per_page')) ?? defaultPerPage, mostPerPage);
  const page = positive(call.query.get('page')) ?? 1;
  const last = Math.max(1, Math.ceil(all.length / perPage));
  const links: [string, number][] = [];
  if (page > 1) links.push(['prev', Math.min(page - 1, last)]);
  if (page < last) links.push(['next', page + 1], ['last', last]);
  if (page > 1) links.push(['first', 1]);
  const link = links.map(([relation, number]) => `<${pageUrl(call, number)}>; rel="${relation}"`).join(', ');
  return { items: all.slice((page - 1) * perPage, page * perPage), headers: link === '' ? {} : { link } };
}

/** A paginated reply whose body is the list itself. */
export function listReply<Item>(call: Call, all: readonly Item[], view: (item: Item) => unknown): Reply {
  const { items, headers } = paginate(call, all);
  return { status: 200, body: items.map(view), headers };
}

function pageUrl(call: Call, page: number): string {
  const query = new URLSearchParams(call.query);
  query.set('page', String(page));
  return `${call.site.url}/api/v3${call.path}?${query.toString()}`;
}

function positive(value: string | null): number | null {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
