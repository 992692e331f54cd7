import type { BotError } from '../domain/errors.ts';

/** Why a worker stopped a run that did not end by itself. */
export type StopReason = 'cancelled' | 'draining' | 'handed-on' | 'lost';

export type Settlement =
  /** The same job once more, after a while; `failures` in a row so far. */
  | { readonly kind: 'again'; readonly afterMs: number; readonly failures: number }
  /** The run ends with this error. */
  | { readonly kind: 'fail'; readonly error: BotError }
  /** Another worker has it: nothing may be written. */
  | { readonly kind: 'leave' };

/** About seven hours of an unreachable host or a missing permission, then the run is ended rather than kept for ever. */
const MOST_FAILURES = 30;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** An operator's mistake is looked at again after this long, for as long as it takes. */
const OPERATOR_PAUSE_MS = 60_000;

/**
 * The one place where it is decided what an error does to a run: the table of categories in `domain/errors.ts`. Errors of category
 * `agent` and `budget` are the flow's to handle (retry the batch, deliver what passed); one that gets here was not foreseen there.
 */
export function settleError(
  error: BotError,
  context: { readonly stopped: StopReason | null; readonly failures: number },
): Settlement {
  switch (context.stopped) {
    case 'lost':
      return { kind: 'leave' };
    case 'draining':
    case 'handed-on':
      // Whatever the flow threw while it was made to stop is not held against the run: it goes on at its last step.
      return { kind: 'again', afterMs: 0, failures: 0 };
    case 'cancelled':
    case null:
      return settleByCategory(error, context.failures + 1);
  }
}

function settleByCategory(error: BotError, failures: number): Settlement {
  switch (error.category) {
    case 'transient':
      return waitForOthers(error, failures);
    case 'operator':
      // It is one repository's alone and may never come: the app was taken off it, a rule of its branches refuses the push.
      if (error.code === 'permission-missing') return waitForOthers(error, failures);
      return { kind: 'again', afterMs: OPERATOR_PAUSE_MS, failures };
    case 'user':
    case 'repository':
    case 'agent':
    case 'budget':
    case 'bug':
      return { kind: 'fail', error };
  }
}

function waitForOthers(error: BotError, failures: number): Settlement {
  if (failures > MOST_FAILURES) return { kind: 'fail', error };
  return { kind: 'again', afterMs: pauseAfter(error, failures), failures };
}

/** What the host asked for (`details.retryAfterMs`), else twice as long each time. */
function pauseAfter(error: BotError, failures: number): number {
  const asked = error.details['retryAfterMs'];
  if (typeof asked === 'number' && asked > 0) return asked;
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 16));
}
