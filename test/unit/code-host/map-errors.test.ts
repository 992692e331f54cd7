import { expect, test } from 'vitest';

import { isBadToken, mapHostError, orNull, orNullWhenEmpty, orNullWhenSo } from '../../../src/code-host/map-errors.ts';
import { BotError } from '../../../src/domain/errors.ts';

const doing = { doing: 'reading x of acme/render', needs: 'contents: read' };
const tokenUrl = 'https://api.github.com/app/installations/7/access_tokens';

function httpError(
  status: number,
  message: string,
  more: { headers?: Record<string, string>; url?: string; offline?: boolean } = {},
) {
  const response = more.offline ? {} : { response: { headers: more.headers ?? {} } };
  return Object.assign(new Error(message), {
    status,
    request: { url: more.url ?? 'https://api.github.com/x' },
    ...response,
  });
}

test.each([
  [
    httpError(403, 'You have exceeded a secondary rate limit.', { headers: { 'retry-after': '7' } }),
    'rate-limited',
    7000,
  ],
  [httpError(429, 'Too many', { headers: {} }), 'rate-limited', 60_000],
  [
    httpError(403, 'API rate limit exceeded', {
      headers: {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1795309400',
        date: new Date(1795309380_000).toUTCString(),
      },
    }),
    'rate-limited',
    20_000,
  ],
])('a rate limit says how long to wait', (error, code, retryAfterMs) => {
  expect(mapHostError(error, doing)).toMatchObject({ code, category: 'transient', details: { retryAfterMs } });
});

test.each([
  [httpError(502, 'Bad Gateway'), 'host-unavailable'],
  [httpError(500, 'connect ECONNREFUSED', { offline: true }), 'host-unavailable'],
  [httpError(401, 'Bad credentials'), 'credentials-rejected'],
  [httpError(401, 'A JSON web token could not be decoded', { url: tokenUrl }), 'credentials-rejected'],
  [httpError(404, 'Not Found', { url: tokenUrl }), 'permission-missing'],
  [httpError(403, 'Resource not accessible by integration'), 'permission-missing'],
  [httpError(404, 'Not Found'), 'host-refused'],
  [httpError(422, 'Validation Failed'), 'host-refused'],
])('%s is %s', (error, code) => {
  expect(mapHostError(error, doing)).toMatchObject({ code });
});

test('a missing permission is named', () => {
  const error = mapHostError(httpError(403, 'Resource not accessible by integration'), doing) as BotError;
  expect(error.message).toContain('contents: read');
});

test('no token gets into a message', () => {
  const error = mapHostError(httpError(422, `bad ghs_${'a'.repeat(36)}`), doing) as BotError;
  expect(error.message).not.toContain('ghs_');
});

test('what is no answer of the host stays what it is', () => {
  const abort = new DOMException('stop', 'AbortError');
  const bug = new TypeError('x is not a function');
  const known = new BotError('refused', 'no');
  expect([abort, bug, known].map((error) => mapHostError(error, doing))).toEqual([abort, bug, known]);
});

test('only what may be missing is null', async () => {
  const failing = async (failure: Error) => {
    throw failure;
  };
  await expect(orNull(failing(httpError(404, 'Not Found')))).resolves.toBeNull();
  await expect(orNull(failing(httpError(410, 'Gone')))).resolves.toBeNull();
  await expect(orNull(failing(httpError(404, 'Not Found', { url: tokenUrl })))).rejects.toThrow('Not Found');
  await expect(orNull(failing(httpError(409, 'Git Repository is empty.')))).rejects.toThrow('empty');
  await expect(orNullWhenEmpty(failing(httpError(409, 'Git Repository is empty.')))).resolves.toBeNull();
  await expect(orNullWhenEmpty(failing(httpError(409, 'Conflict')))).rejects.toThrow('Conflict');
  await expect(orNullWhenSo(failing(httpError(422, 'Reference does not exist')))).resolves.toBeNull();
  await expect(
    orNullWhenSo(failing(httpError(422, 'Validation Failed: {"code":"already_exists"}'))),
  ).resolves.toBeNull();
  await expect(orNullWhenSo(failing(httpError(422, 'body is too long')))).rejects.toThrow('too long');
});

test('a bad token is told apart from a bad key', () => {
  expect(isBadToken(httpError(401, 'Bad credentials'))).toBe(true);
  expect(isBadToken(httpError(401, 'no', { url: tokenUrl }))).toBe(false);
});
