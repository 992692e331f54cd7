import type { IncomingMessage } from 'node:http';

/** The body of a request as text; null when it is longer than `maxBytes`, of which the rest is not kept. Rejects when the sender goes away. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Destroyed, the request would take the answer with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) return null;
  }
  return Buffer.concat(chunks).toString('utf8');
}
