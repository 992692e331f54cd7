import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

export interface Load {
  readonly perSecond: number;
  readonly seconds: number;
}

export interface Sender {
  readonly secret: string;
  readonly event: string;
  readonly body: string;
}

/** Milliseconds from the time a delivery was due to its answer. */
export interface Acknowledgement {
  /** With a status of 2xx. */
  readonly answered: number;
  /** Any other status, a broken connection, or none within GitHub's ten seconds: these have no time. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** GitHub gives up after ten seconds. */
const PATIENCE_MS = 10_000;
const MAX_CONNECTIONS = 256;

/**
 * Sends the same load to each address in one interleaved run, so that all meet the same machine. Open loop: a delivery is sent when
 * it is due whether or not the former were answered, and measured from then, so that a pause is not hidden by waiting for it.
 */
export async function offerDeliveries(
  urls: readonly string[],
  load: Load,
  sender: Sender,
): Promise<readonly Acknowledgement[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  const signature = `sha256=${createHmac('sha256', sender.secret).update(sender.body).digest('hex')}`;
  const pending: Promise<number | null>[][] = urls.map(() => []);
  const gapMs = 1000 / (load.perSecond * urls.length);
  const startedAt = performance.now();
  for (let index = 0; index < load.perSecond * load.seconds * urls.length; index++) {
    const due = startedAt + index * gapMs;
    const waitMs = due - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const target = index % urls.length;
    const answered = send(urls[target] ?? '', agent, { ...sender, signature });
    pending[target]?.push(answered.then((isKept) => (isKept ? performance.now() - due : null)));
  }
  const times = await Promise.all(pending.map((sent) => Promise.all(sent)));
  agent.destroy();
  return times.map(summarize);
}

function send(url: string, agent: Agent, delivery: Sender & { readonly signature: string }): Promise<boolean> {
  const body = Buffer.from(delivery.body);
  return new Promise((resolve) => {
    const outgoing = request(url, {
      method: 'POST',
      agent,
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        'user-agent': 'GitHub-Hookshot/bench',
        'x-github-delivery': randomUUID(),
        'x-github-event': delivery.event,
        'x-hub-signature-256': delivery.signature,
      },
    });
    outgoing.on('error', () => resolve(false));
    outgoing.on('response', (response) => {
      const { statusCode = 0 } = response;
      response.on('error', () => resolve(false));
      response.on('end', () => resolve(statusCode >= 200 && statusCode < 300));
      response.resume();
    });
    outgoing.end(body);
  });
}

function summarize(times: readonly (number | null)[]): Acknowledgement {
  const sorted = times.filter((time) => time !== null).toSorted((left, right) => left - right);
  const at = (share: number) => Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10;
  return {
    answered: sorted.length,
    failed: times.length - sorted.length,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    maxMs: at(1),
  };
}
