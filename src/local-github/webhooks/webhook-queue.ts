import { randomUUID } from 'node:crypto';
import { webhookHeaders } from './sign-webhook.ts';
import type { FaultBoard } from '../faults.ts';
import type { App, DeliveryRecord, OutgoingWebhook } from '../state/records.ts';
import type { Webhooks } from '../state/site.ts';

interface QueueOptions {
  readonly app: App;
  readonly faultBoard: FaultBoard;
  readonly now: () => Date;
  readonly nextId: () => number;
}

/** One attempt to make. */
interface Attempt extends OutgoingWebhook {
  readonly guid: string;
  readonly redelivery: boolean;
  readonly lost: boolean;
}

type Answer = DeliveryRecord['response'];

const timeoutMs = 10_000;

/** Delivers one webhook after the other and, like GitHub, never tries again by itself. */
export function createWebhookQueue({ app, faultBoard, now, nextId }: QueueOptions): Webhooks {
  const log: DeliveryRecord[] = [];
  const closing = new AbortController();
  let tail: Promise<void> = Promise.resolve();

  const deliver = async (attempt: Attempt): Promise<void> => {
    if (app.webhookUrl === null || closing.signal.aborted) return;
    const { guid, event, action, installationId, repositoryId, payload, redelivery } = attempt;
    const body = Buffer.from(JSON.stringify(payload));
    const headers = webhookHeaders(app, { guid, event, body });
    const at = now();
    const started = performance.now();
    const response = attempt.lost
      ? unreachable
      : await post({ url: app.webhookUrl, headers, body, closing: closing.signal });
    const durationMs = Math.round(performance.now() - started);
    const request = { headers, payload };
    const facts = { guid, event, action, at, redelivery, installationId, repositoryId };
    log.push({ id: nextId(), ...facts, request, response, durationMs });
  };
  const queue = async (attempt: Attempt): Promise<void> => {
    tail = tail.then(async () => deliver(attempt));
    return tail;
  };

  return {
    enqueue: (webhook) => {
      if (app.webhookUrl === null) return;
      const { copies, lost, hold } = faultBoard.treatDelivery(webhook);
      const attempt: Attempt = { ...webhook, guid: randomUUID(), redelivery: false, lost };
      const send = () => void queue(attempt);
      if (hold) hold(send);
      else for (let copy = 0; copy < copies; copy += 1) send();
    },
    log: () => log,
    redeliver: async (guid) => {
      const earlier = log.findLast((record) => record.guid === guid);
      if (!earlier) throw new Error(`There is no delivery ${guid} to send again; see the log for those there are`);
      const { event, action, installationId, repositoryId, request } = earlier;
      const webhook = { event, action, installationId, repositoryId, payload: request.payload };
      await queue({ ...webhook, guid, redelivery: true, lost: false });
    },
    idle: async () => {
      // A delivery may cause further ones, which are queued behind it.
      for (let awaited; awaited !== tail;) {
        awaited = tail;
        await awaited;
      }
    },
    close: async () => {
      closing.abort();
      await tail;
    },
  };
}

interface Post {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly closing: AbortSignal;
}

const unreachable: Answer = { status: 502, statusText: 'failed to connect to host', body: '' };

async function post({ url, headers, body, closing }: Post): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const signal = AbortSignal.any([timeout, closing]);
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    return { status: response.status, statusText: response.statusText, body: await response.text() };
  } catch {
    return timeout.aborted ? { status: 504, statusText: 'timed out', body: '' } : unreachable;
  }
}
