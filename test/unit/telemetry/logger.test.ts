import { expect, test } from 'vitest';

import { BotError } from '../../../src/domain/errors.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { describeError } from '../../../src/telemetry/redact.ts';

test('an error in the log says what went wrong, and nothing that hangs on it', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream;
  const logger = createLogger({ level: 'info', destination }).child({ run: 'one' });
  const secret = `ghs_${'a'.repeat(36)}`;
  const inner = Object.assign(new Error(`cloning with ${secret}`), { request: { body: 'private words' } });
  logger.warn({ err: new Error('outer', { cause: inner }) }, 'run met an error');
  const [line = ''] = lines;
  expect(JSON.parse(line)).toMatchObject({ run: 'one', err: { message: 'outer', cause: { type: 'Error' } } });
  expect(line).not.toContain(secret);
  expect(line).not.toContain('private words');
});

test('what our own errors know is kept, without secrets', () => {
  const details = { verb: 'push', said: `remote: ghs_${'a'.repeat(36)} denied`, tried: ['a', 'b'] };
  expect(describeError(new BotError('permission-missing', 'refused', { details }))).toMatchObject({
    code: 'permission-missing',
    details: { verb: 'push', said: 'remote: [redacted] denied', tried: ['a', 'b'] },
  });
});
