import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createNodeMiddleware } from 'probot';

import { createApp } from '../../src/app.ts';
import { createProbot } from '../../src/code-host/create-probot.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import type { AcceptPorts } from '../../src/webhooks/accept-delivery.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';

const ownSecret = 'a secret of the tests';

export interface WebhookClient {
  /** Sends a delivery as GitHub does. `signature` replaces the right one; null leaves it out. */
  send(delivery: {
    readonly event: string;
    readonly payload: unknown;
    readonly id?: string;
    readonly signature?: string | null;
    readonly contentType?: string;
  }): Promise<{ readonly status: number; readonly id: DeliveryId }>;
  readonly url: string;
  /** What was written to the log, as text. */
  logged(): string;
  close(): Promise<void>;
}

/** The real Probot app behind a real HTTP server, as `main` serves it. */
export async function openWebhookClient(
  ports: Omit<AcceptPorts, 'logger'>,
  secret = ownSecret,
): Promise<WebhookClient> {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream;
  const logger = createLogger({ level: 'debug', destination });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const app = { id: 7, privateKey: pem, webhookSecret: secret };
  const probot = await createProbot({ app, apiUrl: 'http://127.0.0.1:1/api/v3', logger, paceRequests: false });
  const middleware = await createNodeMiddleware(createApp({ ...ports, logger }), { probot });
  const server = createServer((request, response) => {
    void middleware(request, response, () => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/github/webhooks`;

  return {
    url,
    logged: () => lines.join(''),
    async send({ event, payload, id = randomUUID(), signature, contentType = 'application/json' }) {
      const body = JSON.stringify(payload);
      const signed = signature === undefined ? sign(body, secret) : signature;
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': contentType,
          'x-github-event': event,
          'x-github-delivery': id,
          ...(signed === null ? {} : { 'x-hub-signature-256': signed }),
        },
        body,
      });
      await response.arrayBuffer();
      return { status: response.status, id: id as DeliveryId };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sign(body: string, key = ownSecret): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}
