import { describe, expect, test } from 'vitest';
import { BotError, type ErrorCode } from '../../../src/domain/errors.ts';
import { settleError, type StopReason } from '../../../src/engine/settle-error.ts';

const settle = (code: ErrorCode, context: { stopped?: StopReason; failures?: number; retryAfterMs?: number } = {}) =>
  settleError(
    new BotError(
      code,
      'words',
      context.retryAfterMs === undefined ? {} : { details: { retryAfterMs: context.retryAfterMs } },
    ),
    { stopped: context.stopped ?? null, failures: context.failures ?? 0 },
  );

describe('settleError', () => {
  test.each<ErrorCode>([
    'config-invalid',
    'baseline-red',
    'attempts-spent',
    'time-spent',
    'invariant-broken',
    'unknown',
  ])('%s ends the run', (code) => expect(settle(code)).toMatchObject({ kind: 'fail', error: { code } }));

  test('waits longer after each transient failure, up to a quarter of an hour', () => {
    const pauses = [0, 1, 2, 10].map((failures) => settle('host-unavailable', { failures }));
    expect(pauses).toEqual([
      { kind: 'again', afterMs: 5_000, failures: 1 },
      { kind: 'again', afterMs: 10_000, failures: 2 },
      { kind: 'again', afterMs: 20_000, failures: 3 },
      { kind: 'again', afterMs: 900_000, failures: 11 },
    ]);
  });

  test('waits as long as the host asks', () => {
    expect(settle('rate-limited', { retryAfterMs: 61_000 })).toMatchObject({ kind: 'again', afterMs: 61_000 });
  });

  test('gives a run up after thirty transient failures in a row, and never for what the operator must mend', () => {
    expect(settle('host-unavailable', { failures: 29 })).toMatchObject({ kind: 'again' });
    expect(settle('host-unavailable', { failures: 30 })).toMatchObject({ kind: 'fail' });
    expect(settle('disk-full', { failures: 5_000 })).toMatchObject({ kind: 'again', afterMs: 60_000 });
  });

  test('gives a run up whose repository goes on refusing the app, which would hold that repository for ever', () => {
    expect(settle('permission-missing', { failures: 29 })).toMatchObject({ kind: 'again' });
    expect(settle('permission-missing', { failures: 30 })).toMatchObject({ kind: 'fail' });
  });

  test('holds nothing against a run that was made to stop', () => {
    expect(settle('unknown', { stopped: 'draining', failures: 4 })).toEqual({ kind: 'again', afterMs: 0, failures: 0 });
    expect(settle('unknown', { stopped: 'handed-on' })).toMatchObject({ kind: 'again' });
    expect(settle('unknown', { stopped: 'lost' })).toEqual({ kind: 'leave' });
  });
});
