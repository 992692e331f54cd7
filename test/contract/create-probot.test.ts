import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { createProbot } from '../../src/code-host/create-probot.ts';
import { startLocalGithub } from '../../src/local-github/start-local-github.ts';
import { createLogger } from '../../src/telemetry/logger.ts';

test('a fresh token is asked from the configured host, never from another', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'create-probot-'));
  const github = await startLocalGithub({ dataDir });
  try {
    await github.createRepository({ owner: 'acme', name: 'widgets' });
    const hosts: string[] = [];
    const watching: typeof fetch = (input, init) => {
      hosts.push(new URL(input instanceof Request ? input.url : input).host);
      return fetch(input, init);
    };
    const probot = await createProbot({
      app: github.app,
      apiUrl: `${github.url}/api/v3`,
      logger: createLogger({ level: 'error' }),
      paceRequests: false,
      fetch: watching,
    });
    const app = await probot.auth();
    const installationId = (await app.rest.apps.listInstallations()).data[0]?.id ?? 0;
    const octokit = await probot.auth(installationId);
    await octokit.rest.repos.get({ owner: 'acme', repo: 'widgets' });
    await octokit.auth({ type: 'installation', installationId, refresh: true });
    expect(hosts.length).toBeGreaterThanOrEqual(4);
    expect(new Set(hosts)).toEqual(new Set([github.host]));
  } finally {
    await github.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('a spent quota is an error at once, not a wait of an hour inside a call', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const reset = Math.ceil(Date.now() / 1000) + 3600;
  const spent: typeof fetch = async () =>
    Response.json(
      { message: 'API rate limit exceeded' },
      { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) } },
    );
  const probot = await createProbot({
    app: { id: 7, privateKey: pem, webhookSecret: 'a secret' },
    apiUrl: null,
    logger: createLogger({ level: 'error' }),
    fetch: spent,
  });
  const app = await probot.auth();
  await expect(app.rest.apps.getAuthenticated()).rejects.toMatchObject({ status: 403 });
});
