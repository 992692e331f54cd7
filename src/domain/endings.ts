import type { BotError } from './errors.ts';
import type { LedgerEvent } from './ledger.ts';

/** What a cancellation writes. */
export function cancelledBy(by: string): readonly LedgerEvent[] {
  return [
    { type: 'cancelled', by },
    { type: 'state-entered', state: 'cancelled' },
  ];
}

/**
 * What a failure writes. The ledger is shown to people, so an error nobody foresaw is named by its kind alone: its message may
 * hold anything. Output that proves the failure is taken from `details.evidence`.
 */
export function failedWith(error: BotError): readonly LedgerEvent[] {
  const evidence = error.details['evidence'];
  return [
    {
      type: 'failed',
      code: error.code,
      category: error.category,
      message:
        error.category === 'bug'
          ? 'An error inside the bot ended this run. The log of the bot has the details.'
          : error.message,
      evidence: typeof evidence === 'string' ? evidence : '',
    },
    { type: 'state-entered', state: 'failed' },
  ];
}
