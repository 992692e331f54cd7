import { createHmac } from 'node:crypto';
import type { App } from '../state/records.ts';

interface Envelope {
  readonly guid: string;
  readonly event: string;
  readonly body: Buffer;
}

/** The headers GitHub sends; the signatures are over exactly these bytes. */
export function webhookHeaders(app: App, { guid, event, body }: Envelope): Record<string, string> {
  const sign = (algorithm: string) => createHmac(algorithm, app.webhookSecret).update(body).digest('hex');
  return {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': `GitHub-Hookshot/${guid.slice(0, 7)}`,
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-github-hook-id': String(app.id),
    'x-github-hook-installation-target-id': String(app.id),
    'x-github-hook-installation-target-type': 'integration',
    'x-hub-signature': `sha1=${sign('sha1')}`,
    'x-hub-signature-256': `sha256=${sign('sha256')}`,
  };
}
