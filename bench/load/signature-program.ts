/** The least that an honest receiver of webhooks does: read the body, check its signature, answer. What the bot adds is measured against it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getOneMessage, sendMessage } from 'execa';

const { secret } = (await getOneMessage()) as unknown as { secret: string };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(Buffer.concat(chunks)).digest('hex')}`);
    const given = Buffer.from(String(request.headers['x-hub-signature-256']));
    const isSigned = given.length === wanted.length && timingSafeEqual(given, wanted);
    response.writeHead(isSigned ? 200 : 400).end();
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
await sendMessage({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
