import type { IncomingMessage } from 'node:http';

import { refusal } from '../state/refusal.ts';

/** Four times GitHub's longest body, as escaping in a form may triple it. */
const longestForm = 4 * 65_536;

/** Reads a posted form; refuses other types and sizes that no form here reaches. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    throw refusal(415, 'Send the fields as application/x-www-form-urlencoded');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // What is too much is read all the same, and dropped: breaking off would cut the line before the answer.
    if (size <= longestForm) chunks.push(chunk);
  }
  if (size > longestForm) throw refusal(413, 'This form is too large');
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
