import { expect, test } from 'vitest';

import { describeError, redactSecrets } from '../../../src/telemetry/redact.ts';

const secret = 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MDEyMzQ1Njc4';

test.each([
  `ghs_${secret}`,
  `ghp_${secret}`,
  `github_pat_${secret}`,
  `Authorization: Bearer ${secret}`,
  `authorization: basic ${secret}`,
  `token ${secret}`,
  `https://x-access-token:${secret}@github.com/acme/render.git`,
  `postgres://bot:${secret}@db.example.com/bot`,
  `//registry.example.com/:_authToken=${secret}`,
  `eyJhbGciOiJSUzI1NiJ9.${secret}.${secret}`,
  `sk-ant-${secret}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY-----`,
  `-----BEGIN PRIVATE KEY-----\n${secret}`,
])('%s loses its secret', (text) => {
  const redacted = redactSecrets(`before ${text} after`);
  expect(redacted).not.toContain(secret);
  expect(redacted).toContain('before');
});

test.each([
  'https://github.com/acme/render',
  'commit 0123456789abcdef0123456789abcdef01234567',
  'the token was rejected',
])('%s is left alone', (text) => {
  expect(redactSecrets(text)).toBe(text);
});

test('an error is described without what hangs on it', () => {
  const error = Object.assign(new Error(`failed with ghs_${secret}`), {
    code: 'ECONNRESET',
    event: { payload: { body: 'private words' } },
    cause: Object.assign(new Error('inner'), { request: { headers: { authorization: secret } } }),
  });
  const described = JSON.stringify(describeError(error));
  expect(described).not.toContain(secret);
  expect(described).not.toContain('private words');
  expect(describeError(error)).toMatchObject({ type: 'Error', code: 'ECONNRESET', cause: { message: 'inner' } });
});

test('a chain of causes that bites its tail ends', () => {
  const error = new Error('round');
  error.cause = error;
  expect(JSON.stringify(describeError(error)).length).toBeLessThan(20_000);
  expect(describeError('a string')).toMatchObject({ message: 'a string' });
});
