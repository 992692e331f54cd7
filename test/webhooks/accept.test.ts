import { readdirSync, readFileSync } from 'node:fs';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { createProbot } from '../../src/code-host/create-probot.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { HANDLED_EVENTS } from '../../src/webhooks/handle-delivery.ts';
import { createMemoryRunStore, type MemoryRunStore } from '../support/memory-run-store.ts';
import { openWebhookClient, sign, type WebhookClient } from '../support/webhook-client.ts';
import { commented, labeled } from '../support/webhook-payloads.ts';

let store: MemoryRunStore;
let client: WebhookClient;
let nudged: DeliveryId[];

beforeEach(async () => {
  store = createMemoryRunStore();
  nudged = [];
  const clock = { now: () => new Date('2026-11-22T01:02:03.000Z') };
  client = await openWebhookClient({ store, clock, onAccepted: (id) => void nudged.push(id) });
});

afterEach(() => client.close());

test('TRIG-6: a delivery is one row and one nudge, however often it comes', async () => {
  const payload = labeled();
  const { status, id } = await client.send({ event: 'issues', payload });
  const again = await client.send({ event: 'issues', payload, id });
  expect([status, again.status]).toEqual([200, 200]);
  expect([...store.deliveries.values()]).toEqual([
    { id, event: 'issues.labeled', payload, receivedAt: '2026-11-22T01:02:03.000Z' },
  ]);
  expect(nudged).toEqual([id]);
});

test('every event of the table is stored', async () => {
  for (const name of HANDLED_EVENTS) {
    const [event = '', action] = name.split('.');
    await client.send({ event, payload: { ...labeled(), action } });
  }
  expect([...store.deliveries.values()].map((row) => row.event)).toEqual([...HANDLED_EVENTS]);
});

test.each([
  ['missing', null],
  ['empty', ''],
  ['wrong', 'sha256=0000'],
  ['made with another secret', sign(JSON.stringify(labeled()), 'development')],
  ['of an older kind', 'sha1=0000'],
])('a signature that is %s is refused', async (_what, signature) => {
  const { status } = await client.send({ event: 'issues', payload: labeled(), signature });
  expect(status).toBe(400);
  expect(store.deliveries.size).toBe(0);
});

test('a wrong content type, another method and another path are refused', async () => {
  const typed = await client.send({ event: 'issues', payload: labeled(), contentType: 'text/plain' });
  expect(typed.status).toBe(415);
  expect((await fetch(client.url)).status).toBe(404);
  expect((await fetch(`${client.url}/x`, { method: 'POST' })).status).toBe(404);
  expect(store.deliveries.size).toBe(0);
});

test.each([
  ['an unknown event', 'meteor_strike', { action: 'landed' }],
  ['an edited comment', 'issue_comment', commented('/refactor run', { action: 'edited' })],
  ['a push', 'push', { ref: 'refs/heads/main' }],
  ['no action', 'issues', {}],
])('%s is answered and forgotten', async (_what, event, payload) => {
  const { status } = await client.send({ event, payload });
  expect(status).toBe(200);
  expect(store.deliveries.size).toBe(0);
});

test('a database that is down is an error to GitHub, which keeps the delivery, and no payload is logged', async () => {
  store.acceptDelivery = () => Promise.reject(new Error('database is down'));
  const { status } = await client.send({ event: 'issues', payload: labeled({ issue: { body: 'private words' } }) });
  expect(status).toBe(500);
  expect(client.logged()).toContain('database is down');
  expect(client.logged()).not.toContain('private words');
});

test('every recorded payload is answered', async () => {
  const folder = new URL('../fixtures/webhooks/', import.meta.url);
  const files = readdirSync(folder);
  expect(files.length).toBeGreaterThanOrEqual(8);
  for (const file of files) {
    const event = file.split('.', 1)[0] ?? '';
    const payload: unknown = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    expect((await client.send({ event, payload })).status, file).toBe(200);
  }
});

test('an empty webhook secret is refused, as Probot would take a well-known one', async () => {
  const app = { id: 7, privateKey: 'x', webhookSecret: '' };
  await expect(createProbot({ app, apiUrl: null, logger: createLogger({ level: 'error' }) })).rejects.toThrow('secret');
});
