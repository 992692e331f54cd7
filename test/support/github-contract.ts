import { readFileSync } from 'node:fs';

import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';

import type { Description, Operation } from './github-description.ts';
import { matchOperation } from './match-operation.ts';
import { undocumentedProperties } from './undocumented-properties.ts';

interface RequestToCheck {
  method: string;
  /** As sent, with its query string; `/api/v3` in front is allowed. */
  path: string;
  /** Parsed JSON; undefined (or null) where none was sent. */
  body?: unknown;
}

interface ResponseToCheck extends RequestToCheck {
  status: number;
}

/** Each check returns what deviates from GitHub's own description, one line each; empty means it conforms. */
export interface GithubContract {
  checkRequest(request: RequestToCheck): string[];
  /** `body` is the response's. */
  checkResponse(response: ResponseToCheck): string[];
  /** `action` is undefined for events without one, such as `push`. */
  checkWebhook(event: string, action: string | undefined, payload: unknown): string[];
  /** How many REST operations are known. */
  operations: number;
}

/**
 * Statuses that any operation may answer though the description lists them for few: GitHub documents statuses
 * incompletely (401 is missing on `GET /repos/{owner}/{repo}`). Their bodies are still checked.
 */
const anywhere: Record<string, string> = {
  401: 'basic-error', // bad or expired credentials, before the operation is reached
  403: 'basic-error', // missing permission, secondary rate limit
  404: 'basic-error', // hidden from this token
  410: 'basic-error', // deleted issue, issues switched off
  422: 'validation-error', // any field
  429: 'basic-error', // primary rate limit
  500: 'basic-error',
  502: 'basic-error',
  503: 'basic-error',
};

export function createGithubContract(): GithubContract {
  const rest = load('github-openapi.json');
  const hooks = load('github-webhooks.json');

  function checkRequest({ method, path, body }: RequestToCheck): string[] {
    const { operation, query } = matchOperation(rest.description.operations, method, path);
    if (!operation) return [`${method} ${path}: no such operation in GitHub's description`];
    const where = `${method} ${path}: request`;
    return [
      // A fresh copy: checking turns its text into the numbers and booleans that the schema speaks of.
      ...rest.violations(`${operation.id}.query`, Object.fromEntries(query), `${where} query`),
      ...checkRequestBody(operation, body, `${where} body`),
    ];
  }

  function checkRequestBody(operation: Operation, body: unknown, where: string): string[] {
    if (isAbsent(body)) {
      return operation.body === 'required' ? [`${where}: missing`] : [];
    }
    // Octokit sends `{}` with methods that usually carry a body.
    if (operation.body === 'none') return isEmptyObject(body) ? [] : [`${where}: this operation takes none`];
    const name = `${operation.id}.request`;
    return [
      ...rest.violations(name, body, where),
      ...undocumentedProperties(rest.description.schemas, name, body).map((at) => `${where}${at}: not documented`),
    ];
  }

  function checkResponse({ method, path, status, body }: ResponseToCheck): string[] {
    const { operation } = matchOperation(rest.description.operations, method, path);
    if (!operation) return [`${method} ${path}: no such operation in GitHub's description`];
    const where = `${method} ${path}: response ${status}`;
    const documented = operation.statuses[status];
    // Errors described without a body do carry GitHub's usual message.
    if (documented === 'no-json' && status < 400) return isAbsent(body) ? [] : [`${where}: must have no body`];
    const name = documented === 'json' ? `${operation.id}.${status}` : anywhere[status];
    if (!name) return [`${where}: not a documented status`];
    return rest.violations(name, body, where);
  }

  function checkWebhook(event: string, action: string | undefined, payload: unknown): string[] {
    const name = [event, action].filter(Boolean).join('-').replaceAll('_', '-');
    if (!hooks.description.operations[name]) return [`${name}: no such webhook in GitHub's description`];
    return hooks.violations(`${name}.request`, payload, `webhook ${name}`);
  }

  return { checkRequest, checkResponse, checkWebhook, operations: Object.keys(rest.description.operations).length };
}

function load(file: string) {
  const description = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Description;
  const asJson = compiler(description, false);
  const asText = compiler(description, true);

  function violations(name: string, value: unknown, where: string): string[] {
    const validate = name.endsWith('.query') ? asText(name) : asJson(name);
    return validate(value) ? [] : (validate.errors ?? []).map((error) => `${where}${describe(error)}`);
  }

  return { description, violations };
}

/** Compiles a schema at its first use: all of them take seconds, one takes milliseconds. */
function compiler({ schemas }: Description, coerceTypes: boolean): (name: string) => ValidateFunction {
  // Inlining references makes single webhook schemas take seconds.
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    inlineRefs: false,
    validateSchema: false,
    coerceTypes,
    formats,
  });
  ajv.addSchema({ $id: 'github', schemas });
  const compiled = new Map<string, ValidateFunction>();
  return (name) => {
    const validate = compiled.get(name) ?? ajv.compile({ $ref: `github#/schemas/${name}` });
    compiled.set(name, validate);
    return validate;
  };
}

function describe({ instancePath, message, params }: ErrorObject): string {
  const allowed: unknown = params['allowedValues'];
  const extra: unknown = params['additionalProperty'];
  const detail = Array.isArray(allowed) ? ` (${allowed.join(', ')})` : typeof extra === 'string' ? ` (${extra})` : '';
  return `${instancePath}: ${message ?? 'invalid'}${detail}`;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

const formats = {
  'date-time': (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/u.test(text),
  // GitHub escapes the brackets of `name[bot]`, and `URL` would let them pass.
  uri: (text: string) => URL.canParse(text) && !/[\s[\]{}]/u.test(text),
  'uri-template': (text: string) => URL.canParse(text.replaceAll(/\{[^{}]*\}/gu, '')),
  email: (text: string) => /^[^\s@]+@[^\s@]+$/u.test(text),
  'repo.nwo': (text: string) => /^[\w.-]+\/[\w.-]+$/u.test(text),
  int64: { type: 'number', validate: (value: number) => Number.isSafeInteger(value) },
  binary: true,
  timestamp: true,
} as const;
