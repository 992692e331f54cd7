/**
 * Runs inside the sandbox beside the command, on the mounted Node: lets programs that speak to an HTTP proxy on a port reach the bot's
 * proxy, which listens on a mounted socket. It decides nothing; without it the command has no network at all.
 * `node egress-bridge.mts <port> <socket>`, prints `ready` once it listens. Stands alone: nothing else of the bot is mounted.
 */
import { writeSync } from 'node:fs';
import net from 'node:net';

const [port, socketPath] = process.argv.slice(2);

const server = net.createServer({ allowHalfOpen: true }, (client) => {
  const upstream = net.connect({ path: socketPath ?? '', allowHalfOpen: true });
  client.pipe(upstream).pipe(client);
  client.on('error', () => upstream.destroy());
  upstream.on('error', () => client.destroy());
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => client.destroy());
});
server.listen(Number(port), '127.0.0.1', () => writeSync(1, 'ready\n'));
