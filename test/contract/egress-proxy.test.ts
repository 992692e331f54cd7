import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startEgressProxy, type EgressProxy, type EgressProxyOptions } from '../../src/sandbox/egress-proxy.ts';

/** A server that greets, to tell a tunnel from an answer of the proxy. */
const greeter = net.createServer((socket) => {
  socket.on('error', () => undefined);
  socket.on('data', (data) => socket.end(`hello ${data.toString()}`));
});
let port: number;
let proxy: EgressProxy;
// Longer than the name of a unix socket may be.
const socketDir = mkdtempSync(path.join(os.tmpdir(), `egress-${'x'.repeat(120)}`));

beforeAll(async () => {
  await new Promise<void>((resolve) => greeter.listen(0, '127.0.0.1', resolve));
  port = (greeter.address() as net.AddressInfo).port;
});
afterEach(() => proxy.close());
afterAll(() => {
  greeter.close();
  rmSync(socketDir, { recursive: true });
});

async function start(options: Partial<EgressProxyOptions>): Promise<void> {
  proxy = await startEgressProxy({ socketDir, socketName: 's', rules: [], ...options });
}

/** Sends a request and, once a tunnel stands, a word through it; answers all that came back. */
async function ask(request: string): Promise<string> {
  const short = path.relative(process.cwd(), path.join(socketDir, 's'));
  const socket = net.connect(short.length < 100 ? short : await viaDescriptor());
  let text = '';
  socket.write(`${request}\r\n\r\n`);
  for await (const chunk of socket) {
    const before = text;
    text += String(chunk);
    if (!before.includes('200 Connection') && text.includes('200 Connection')) socket.write('world');
  }
  return text;
}

async function viaDescriptor(): Promise<string> {
  const { openSync } = await import('node:fs');
  return `/proc/self/fd/${openSync(socketDir, 'r')}/s`;
}

const connect = (target: string) => ask(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}`);
const loopback = async () => [{ address: '127.0.0.1', family: 4 }];

describe('egress proxy', () => {
  test('opens a tunnel to an allowed host whose private address the operator allowed', async () => {
    await start({ rules: [{ host: 'registry.test', port, allowPrivateAddress: true }], lookup: loopback });
    expect(await connect(`registry.test:${port}`)).toBe('HTTP/1.1 200 Connection Established\r\n\r\nhello world');
    expect(await connect(`REGISTRY.test:${port}`)).toContain('hello world');
    expect(proxy.deniedHosts()).toEqual([]);
  });

  test('refuses an allowed host whose name leads to a private address', async () => {
    await start({ rules: [{ host: 'registry.test', port }], lookup: loopback });
    expect(await connect(`registry.test:${port}`)).toMatch(/^HTTP\/1.1 403/);
    expect(proxy.deniedHosts()).toEqual([`registry.test:${port}`]);
  });

  test('connects to the addresses it checked, asking once', async () => {
    const answers = [
      [
        { address: '192.168.0.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    ];
    await start({ rules: [{ host: 'registry.test', port }], lookup: async () => answers.shift() ?? [] });
    expect(await connect(`registry.test:${port}`)).toMatch(/^HTTP\/1.1 403/);
    expect(answers).toEqual([]);
  });

  test.each([
    ['another host', 'elsewhere.test:443'],
    ['another port', 'registry.test:22'],
    ['a host that only ends alike', 'evil-registry.test:443'],
    ['a host below', 'sub.registry.test:443'],
    ['an address', '127.0.0.1:443'],
    ['the metadata service', '169.254.169.254:80'],
    ['no port', 'registry.test'],
  ])('refuses %s and records it', async (_what, target) => {
    await start({ rules: [{ host: 'registry.test', port: 443, allowPrivateAddress: true }], lookup: loopback });
    expect(await connect(target)).toMatch(/^HTTP\/1.1 40[03]/);
    expect(proxy.deniedHosts()).toEqual([target]);
  });

  test('refuses plain requests and anything that is not HTTP', async () => {
    await start({ rules: [{ host: 'registry.test', port: 80 }], lookup: loopback });
    expect(await ask('GET http://registry.test/ HTTP/1.1\r\nHost: registry.test')).toMatch(/^HTTP\/1.1 403/);
    expect(await ask('\x05\x01\x00')).toBe('');
  });

  test('says when an allowed host cannot be resolved or reached', async () => {
    await start({ rules: [{ host: 'registry.test', port: 1, allowPrivateAddress: true }], lookup: loopback });
    expect(await connect('registry.test:1')).toMatch(/^HTTP\/1.1 502/);
    expect(proxy.deniedHosts()).toEqual([]);
  });

  test('records refused names short, plain and few', async () => {
    await start({});
    for (let n = 0; n < 105; n++) await connect(`host${n}.test:443`);
    await connect(`<script>${'x'.repeat(500)}:443`);
    expect(proxy.deniedHosts()).toHaveLength(100);
    expect(proxy.deniedHosts().every((host) => /^[\w.:[\]?-]{1,260}$/.test(host))).toBe(true);
  });
});
