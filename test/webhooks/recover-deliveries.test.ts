import { afterEach, beforeEach, expect, test } from 'vitest';

import { createLogger } from '../../src/telemetry/logger.ts';
import { recoverDeliveries } from '../../src/webhooks/recover-deliveries.ts';
import { createMemoryRunStore, type MemoryRunStore } from '../support/memory-run-store.ts';
import { openCodeHost, type OpenCodeHost } from '../support/open-code-host.ts';
import { openWebhookClient, type WebhookClient } from '../support/webhook-client.ts';

const logger = createLogger({ level: 'error' });
const at = { owner: 'acme', repo: 'widgets' };
let open: OpenCodeHost;
let store: MemoryRunStore;
let client: WebhookClient;

beforeEach(async () => {
  open = await openCodeHost();
  store = createMemoryRunStore();
  const clock = { now: () => new Date() };
  const secret = open.github.app.webhookSecret;
  client = await openWebhookClient({ store, clock, onAccepted: () => undefined }, secret);
});

afterEach(async () => {
  await client.close();
  await open.close();
});

const recover = () => recoverDeliveries({ deliveries: open.host.deliveries, store, logger });

async function label(): Promise<void> {
  const issue = await open.maya.rest.issues.create({ ...at, title: 'Tidy up' });
  await open.maya.rest.issues.addLabels({ ...at, issue_number: issue.data.number, labels: ['refactor'] });
  await open.github.idle();
}

test('TRIG-6: what was missed while nobody listened is asked for again, once', async () => {
  const gone = await openWebhookClient({ store, clock: { now: () => new Date() }, onAccepted: () => undefined });
  await gone.close();
  open.github.setWebhookUrl(client.url);
  await label();
  open.github.setWebhookUrl(gone.url);
  await label();
  await label();
  expect(store.deliveries.size).toBe(1);

  open.github.setWebhookUrl(client.url);
  await open.github.idle();
  expect(await recover()).toBe(2);
  await open.github.idle();
  // In the order in which they happened.
  const rows = [...store.deliveries.values()] as unknown as { event: string; payload: { issue: { number: number } } }[];
  expect(rows.map(({ event, payload }) => [event, payload.issue.number])).toEqual([
    ['issues.labeled', 1],
    ['issues.labeled', 2],
    ['issues.labeled', 3],
  ]);
  expect(await recover()).toBe(0);
});

test('what was answered and then lost is asked for again too', async () => {
  open.github.setWebhookUrl(client.url);
  await label();
  await label();
  const [, lost] = store.deliveries.keys();
  expect(lost !== undefined && store.deliveries.delete(lost)).toBe(true);
  expect(await recover()).toBe(1);
  await open.github.idle();
  expect(store.deliveries.size).toBe(2);
});

test('a fresh database asks for nothing: commands of another time would start runs again', async () => {
  open.github.setWebhookUrl(client.url);
  await label();
  store.deliveries.clear();
  expect(await recover()).toBe(0);
});

test('nothing is asked for when nothing was missed', async () => {
  open.github.setWebhookUrl(client.url);
  await label();
  expect(await recover()).toBe(0);
});
