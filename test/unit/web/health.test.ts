import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, expect, test } from 'vitest';

import { createHealthHandler, type Probe } from '../../../src/web/health.ts';

let server: Server;

afterEach(() => new Promise((resolve) => server.close(resolve)));

async function serve(probes: Record<string, Probe>): Promise<string> {
  const handle = createHealthHandler(probes);
  server = createServer((request, response) => {
    void handle(request, response).then((handled) => handled || response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the process is healthy while it answers, and ready when every probe passes', async () => {
  const url = await serve({ database: async () => null });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const ready = await fetch(`${url}/readyz?verbose=1`);
  expect([ready.status, await ready.json()]).toEqual([200, { ok: true, problems: {} }]);
});

test('what is not ready is named, without what an error says', async () => {
  const url = await serve({
    database: () => Promise.reject(new Error('postgres://bot:hunter2@db')),
    sandbox: async () => 'bubblewrap is missing',
    queue: async () => null,
  });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { ok: false, problems: { database: 'failed', sandbox: 'bubblewrap is missing' } },
  ]);
});

test('other paths and methods are for somebody else', async () => {
  const url = await serve({});
  expect((await fetch(`${url}/readyzz`)).status).toBe(404);
  expect((await fetch(`${url}/readyz`, { method: 'POST' })).status).toBe(404);
});
