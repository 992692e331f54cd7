import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect } from 'vitest';

import { startLocalGithub } from '../../src/local-github/start-local-github.ts';
import type { LocalGithub } from '../../src/local-github/start-local-github.ts';

interface PostOptions {
  /** Whom the browser plays. */
  readonly as?: string;
  /** Null: none is sent. */
  readonly origin?: string | null;
}

/** An embedded GitHub with the people `ada` (first, and owner) and `eve`, driven as a browser would. */
export interface WebSite {
  readonly github: LocalGithub;
  post(where: string, fields: Record<string, string>, options?: PostOptions): Promise<Response>;
  /** The page's HTML; fails the test unless it is there. */
  page(where: string, as?: string): Promise<string>;
  /** JSON of a REST call by `ada` below the repository; fails the test unless it succeeds. */
  rest(method: string, where: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Status of a GET that claims to be for another host. */
  statusFor(host: string): Promise<number | undefined>;
  close(): Promise<void>;
}

export async function startWeb(repository: string): Promise<WebSite> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'local-github-web-'));
  const github = await startLocalGithub({ dataDir });
  for (const login of ['ada', 'eve']) github.createUser(login);
  const [owner = '', name = ''] = repository.split('/');
  await github.createRepository({ owner, name });
  // Nobody listens there: a webhook that cannot be delivered is logged like any other.
  github.setWebhookUrl('http://127.0.0.1:9/');
  await github.idle();
  return {
    github,
    post: async (where, fields, { as = 'ada', origin = github.url } = {}) => {
      const headers = { cookie: `acting_as=${as}`, ...(origin === null ? {} : { origin }) };
      const body = new URLSearchParams(fields);
      return fetch(github.url + where, { method: 'POST', body, headers, redirect: 'manual' });
    },
    page: async (where, as = 'ada') => {
      const response = await fetch(github.url + where, { headers: { cookie: `acting_as=${as}` } });
      expect(response.status, where).toBe(200);
      return response.text();
    },
    rest: async (method, where, body) => {
      const headers = { authorization: `Bearer ${github.userToken('ada')}`, 'content-type': 'application/json' };
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${github.url}/api/v3/repos/${repository}${where}`, { method, headers, ...init });
      const answer = await response.text();
      expect(response.ok, `${method} ${where}: ${response.status} ${answer}`).toBe(true);
      return JSON.parse(answer) as Record<string, unknown>;
    },
    statusFor: async (host) =>
      new Promise((resolve, reject) => {
        request(github.url, { headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .once('error', reject)
          .end();
      }),
    close: async () => {
      await github.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
