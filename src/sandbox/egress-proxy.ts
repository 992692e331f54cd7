import { lookup as systemLookup } from 'node:dns/promises';
import { open } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { isPublicAddress } from './private-addresses.ts';
import type { EgressRule } from './sandbox.ts';

const CONNECT_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 300_000;
const MAX_TUNNELS = 256;
const MAX_DENIED = 100;

interface Address {
  readonly address: string;
  readonly family: number;
}

export interface EgressProxyOptions {
  readonly socketDir: string;
  readonly socketName: string;
  readonly rules: readonly EgressRule[];
  /** Every address of a host; the system's resolver unless a test says otherwise. */
  readonly lookup?: (host: string) => Promise<readonly Address[]>;
}

export interface EgressProxy {
  /** `host:port` of what was refused, each once, in order. */
  deniedHosts(): readonly string[];
  close(): Promise<void>;
}

/**
 * An HTTP proxy on a unix socket that knows CONNECT alone, to exactly the hosts and ports of its rules. The name is resolved here, the
 * addresses are checked, and the tunnel goes to a checked address: a name that changes its mind (rebinding) gains nothing.
 */
export async function startEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const denied = new Set<string>();
  const tunnels = new Set<Duplex>();
  const server = http.createServer((request, response) => {
    // Plain requests would have to be read to be judged; registries speak TLS.
    deny(denied, request.headers.host ?? 'plain HTTP');
    response.writeHead(403, { connection: 'close' }).end('Only CONNECT is allowed.\n');
  });
  server.on('connect', (request: http.IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    if (tunnels.size >= MAX_TUNNELS) return refuse(client, '503 Service Unavailable');
    tunnels.add(client);
    client.once('close', () => tunnels.delete(client));
    void openTunnel({ options, target: request.url ?? '', client, head, denied });
  });
  server.on('clientError', (_error, client) => client.destroy());
  // A unix socket's name has at most 107 bytes and data directories may be deep, so it goes by the directory's descriptor. That stays
  // open until the server is closed, as closing unlinks the socket by the same name.
  const dir = await open(options.socketDir);
  await listen(server, `/proc/self/fd/${dir.fd}/${options.socketName}`);
  return {
    deniedHosts: () => [...denied],
    async close() {
      for (const tunnel of tunnels) tunnel.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dir.close();
    },
  };
}

async function listen(server: http.Server, socket: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
}

interface TunnelRequest {
  readonly options: EgressProxyOptions;
  readonly target: string;
  readonly client: Duplex;
  readonly head: Buffer;
  readonly denied: Set<string>;
}

async function openTunnel({ options, target, client, head, denied }: TunnelRequest): Promise<void> {
  const rule = findRule(options.rules, target);
  if (rule === null) {
    deny(denied, target);
    return refuse(client, '403 Forbidden');
  }
  const addresses = await (options.lookup ?? lookupAll)(rule.host).catch(() => []);
  if (addresses.length === 0) return refuse(client, '502 Bad Gateway');
  const checked = addresses.filter(({ address }) => rule.allowPrivateAddress === true || isPublicAddress(address));
  if (checked.length === 0) {
    deny(denied, target);
    return refuse(client, '403 Forbidden');
  }
  const upstream = await connectToOneOf(checked, rule.port);
  if (upstream === null) return refuse(client, '502 Bad Gateway');
  if (client.destroyed) return void upstream.destroy();
  join(client, upstream, head);
}

function join(client: Duplex, upstream: net.Socket, head: Buffer): void {
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  if (head.length > 0) upstream.write(head);
  upstream.setTimeout(IDLE_TIMEOUT_MS, () => upstream.destroy());
  upstream.on('error', () => client.destroy());
  upstream.once('close', () => client.destroy());
  client.once('close', () => upstream.destroy());
  upstream.pipe(client);
  client.pipe(upstream);
}

function findRule(rules: readonly EgressRule[], target: string): EgressRule | null {
  const split = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(target);
  if (split === null) return null;
  const host = (split[1] ?? '').toLowerCase();
  const port = Number(split[2]);
  return rules.find((rule) => rule.host.toLowerCase() === host && rule.port === port) ?? null;
}

async function lookupAll(host: string): Promise<readonly Address[]> {
  return await systemLookup(host, { all: true });
}

async function connectToOneOf(addresses: readonly Address[], port: number): Promise<net.Socket | null> {
  for (const { address } of addresses) {
    const socket = await connect(address, port);
    if (socket !== null) return socket;
  }
  return null;
}

async function connect(address: string, port: number): Promise<net.Socket | null> {
  return await new Promise((resolve) => {
    const socket = net.connect({ host: address, port });
    const fail = () => {
      socket.destroy();
      resolve(null);
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, fail);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}

/** The names come from untrusted code and end up in a report: few, short, and plain. */
function deny(denied: Set<string>, target: string): void {
  if (denied.size < MAX_DENIED) denied.add(target.replaceAll(/[^\w.:[\]-]/g, '?').slice(0, 260));
}

function refuse(client: Duplex, status: string): void {
  client.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
