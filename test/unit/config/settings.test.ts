import { generateKeyPairSync } from 'node:crypto';

import { expect, test } from 'vitest';

import { parseSettings, type Environment } from '../../../src/config/settings.ts';
import { BotError } from '../../../src/domain/errors.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const sound: Environment = { APP_ID: '7', PRIVATE_KEY: pem, WEBHOOK_SECRET: 'wrdlbrmpft', HOME: '/home/bot' };

function parse(env: Environment, files: Record<string, string> = {}) {
  const readText = (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Error(`ENOENT ${path}`);
    return text;
  };
  return parseSettings({ env, workingDir: '/srv', readText });
}

function problemsOf(env: Environment): BotError {
  try {
    parse(env);
  } catch (error) {
    if (error instanceof BotError) return error;
  }
  throw new Error('These settings were accepted.');
}

test('three variables are enough', () => {
  expect(parse(sound)).toMatchObject({
    app: { id: 7, webhookSecret: 'wrdlbrmpft' },
    gitHost: { host: 'github.com', protocol: 'https' },
    apiUrl: null,
    listen: { port: 3000 },
    databaseUrl: null,
    dataDir: '/home/bot/.refactor-bot',
    sandbox: { driver: 'bubblewrap', user: null },
    registryUrl: null,
    registryHosts: [],
    operatorOptions: {},
    caps: { maxBatches: null },
  });
});

test('an enterprise server is named by host and protocol', () => {
  const settings = parse({ ...sound, GHE_HOST: '127.0.0.1:4001', GHE_PROTOCOL: 'http' });
  expect(settings.gitHost).toEqual({ host: '127.0.0.1:4001', protocol: 'http' });
  expect(settings.apiUrl).toBe('http://127.0.0.1:4001/api/v3');
});

test.each([
  ['with line breaks written out', pem.replaceAll('\n', '\\n')],
  ['in base64', Buffer.from(pem).toString('base64')],
])('takes a private key %s', (_how, key) => {
  expect(parse({ ...sound, PRIVATE_KEY: key }).app.privateKey).toBe(pem.trim());
});

test('takes a private key from a file, relative to the working directory', () => {
  const env = { ...sound, PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: 'app.pem' };
  expect(parse(env, { '/srv/app.pem': pem }).app.privateKey).toBe(pem.trim());
});

test('names every problem at once, each with what to set', () => {
  const error = problemsOf({
    GHE_HOST: 'https://github.example.com/',
    PORT: '99999',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://x',
    REFACTOR_BOT_SANDBOX: 'none',
    REFACTOR_BOT_SANDBOX_UID: '0',
    REFACTOR_BOT_REGISTRY: 'https://user:hunter2@registry.example.com/',
    REFACTOR_BOT_WORKERS: '0',
    REFACTOR_BOT_MAX_BATCHES: 'many',
  });
  expect(error.code).toBe('settings-invalid');
  const named = (error.details['problems'] as string[]).map((problem) => problem.split(' ', 1)[0]);
  expect(new Set(named)).toEqual(
    new Set([
      'APP_ID',
      'DATABASE_URL',
      'GHE_HOST',
      'LOG_LEVEL',
      'PORT',
      'PRIVATE_KEY',
      'REFACTOR_BOT_MAX_BATCHES',
      'REFACTOR_BOT_REGISTRY',
      'REFACTOR_BOT_SANDBOX',
      'REFACTOR_BOT_SANDBOX_GID',
      'REFACTOR_BOT_SANDBOX_UID',
      'REFACTOR_BOT_WORKERS',
      'WEBHOOK_SECRET',
    ]),
  );
});

test.each([undefined, '', '  ', 'development'])('refuses to start with the webhook secret %j', (WEBHOOK_SECRET) => {
  expect(problemsOf({ ...sound, WEBHOOK_SECRET }).message).toContain('WEBHOOK_SECRET');
});

test('messages hold no secret', () => {
  const error = problemsOf({
    APP_ID: '7',
    PRIVATE_KEY: 'not-a-key-hunter2',
    WEBHOOK_SECRET: 'development',
    DATABASE_URL: 'mysql://bot:hunter2@db/x',
    REFACTOR_BOT_REGISTRY: 'https://bot:hunter2@registry.example.com/',
  });
  expect(JSON.stringify([error.message, error.details])).not.toContain('hunter2');
});

test('running without a sandbox takes a second yes', () => {
  expect(problemsOf({ ...sound, REFACTOR_BOT_SANDBOX: 'none' }).message).toContain('REFACTOR_BOT_ALLOW_UNSANDBOXED');
  const both = parse({ ...sound, REFACTOR_BOT_SANDBOX: 'none', REFACTOR_BOT_ALLOW_UNSANDBOXED: 'true' });
  expect(both.sandbox.driver).toBe('none');
});

test('the registry of npm is used unless the bot has its own', () => {
  const npm = { ...sound, npm_config_registry: 'https://npm.example.com' };
  expect(parse({ ...npm, REFACTOR_BOT_REGISTRY_HOSTS: 'a.example, b.example:8443' }).registryHosts).toEqual([
    'a.example',
    'b.example:8443',
  ]);
  expect(() => parse({ ...npm, REFACTOR_BOT_REGISTRY_HOSTS: 'https://a.example/x' })).toThrow(
    /REFACTOR_BOT_REGISTRY_HOSTS/,
  );
  expect(parse(npm).registryUrl).toBe('https://npm.example.com/');
  expect(parse({ ...npm, REFACTOR_BOT_REGISTRY: 'https://own.example.com' }).registryUrl).toBe(
    'https://own.example.com/',
  );
});
