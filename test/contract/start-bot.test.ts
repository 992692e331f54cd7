import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Settings } from '../../src/config/settings.ts';
import { startBot, WEBHOOK_PATH } from '../../src/start-bot.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await makeWorld({ files: { 'a.txt': 'a\n' } });
});

afterAll(() => world.close());

const start = (change: Partial<Settings>) =>
  startBot({ ...world.settings, ...change }, { logger: createLogger({ level: 'silent' }), paceRequests: false });

test('a port in use is said with its remedy, and nothing is left that keeps the next start out', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  await expect(start({ listen: { host: '127.0.0.1', port } })).rejects.toMatchObject({
    code: 'settings-invalid',
    message: expect.stringMatching(new RegExp(`127\\.0\\.0\\.1:${port}.*set PORT`)),
  });
  await new Promise((resolve) => other.close(resolve));

  const bot = await start({ listen: { host: '127.0.0.1', port } });
  expect((await fetch(`${bot.url}/readyz`)).status).toBe(200);
  await bot.stop();
});

test('a data directory that cannot be made is said with its remedy', async () => {
  const file = path.join(world.folder, 'a-file');
  await writeFile(file, '');
  await expect(start({ dataDir: path.join(file, 'data') })).rejects.toMatchObject({
    code: 'settings-invalid',
    message: expect.stringContaining('REFACTOR_BOT_DATA_DIR'),
  });
});

test('a stranger cannot fill the memory, and one who goes away in the middle ends nothing', async () => {
  const bot = await start({});
  const post = (body: RequestInit['body'], signal: AbortSignal | null = null) =>
    fetch(`${bot.url}${WEBHOOK_PATH}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'issues',
        'x-github-delivery': 'd',
        'x-hub-signature-256': 'sha256=0000',
      },
      body: body ?? null,
      signal,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
  expect((await post('{}')).status).toBe(400);
  expect((await post(new Uint8Array(26 * 1024 * 1024))).status).toBe(413);

  const leaving = new AbortController();
  const begun = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(10)) });
  const gone = post(begun, leaving.signal);
  leaving.abort();
  await expect(gone).rejects.toThrow();
  expect((await fetch(`${bot.url}/healthz`)).status).toBe(200);
  await bot.stop();
});
