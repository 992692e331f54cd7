import type { LedgerEvent } from '../domain/ledger.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What a step leaves: its output, kept for ever under its name, and the ledger events written in the same transaction. */
export interface StepResult<Output> {
  readonly output: Output;
  readonly events?: readonly LedgerEvent[];
}

/**
 * The durable steps of one run. A step whose name is recorded is not run again: its output is answered. One that was interrupted
 * runs again, so its effect must be idempotent. Names are a persisted format (`batch/batch-003/attempt/2/propose`).
 */
export interface Steps {
  /** Aborted when the run is cancelled, its time is spent, or the process drains. */
  readonly signal: AbortSignal;
  /**
   * `Output` must survive JSON. Throws an AbortError when the signal is aborted, and `invariant-broken` when another worker has
   * taken over the job meanwhile (nothing is written then).
   */
  run<Output>(name: string, effect: (signal: AbortSignal) => Promise<StepResult<Output>>): Promise<Output>;
}
