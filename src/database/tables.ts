import type { ColumnType, Generated } from 'kysely';
import type { LedgerEvent } from '../domain/ledger.ts';
import type { RunState } from '../domain/run.ts';

/** Our own schema; the queue keeps its tables in another one (`engine/open-queue.ts`). */
export const SCHEMA = 'refactor_bot';

/**
 * Values the database reads and writes as JSON text. The columns are `json`, not `jsonb`: what is stored comes from
 * issues and test output, and `jsonb` refuses a `\u0000` in it and forgets the order of keys.
 */
type JsonColumn<Value> = ColumnType<Value, string, string>;

export interface InboxTable {
  readonly id: string;
  readonly event: string;
  readonly payload: JsonColumn<unknown>;
  /** ISO 8601, kept as text: it is handed back exactly as it came. */
  readonly received_at: string;
  /** Set in the transaction that sends its job; null while nobody was told. */
  readonly queued_at: string | null;
  readonly settled_at: string | null;
  readonly handled_as: string | null;
  readonly error: string | null;
}

/** What is known of a run without reading its ledger: written with the ledger, never by itself. */
export interface RunTable {
  readonly id: string;
  /** `owner/name`. */
  readonly repository: string;
  /** The installation that covers it: the group whose jobs are limited together. */
  readonly installation: string;
  readonly issue_number: number;
  readonly branch: string;
  readonly requested_at: string;

  readonly state: RunState;
  readonly pull_request: number | null;
  readonly approved: boolean;
  /** Its place in the queue of its repository: when it was asked for or, later, approved. */
  readonly ready_at: string;
  readonly ledger_length: number;

  readonly cancel_requested_by: string | null;
  /** The job attempt that may write steps; see `engine-store.ts`. */
  readonly job_id: string | null;
  readonly job_attempt: number | null;
  /** Claims since the last sign of life: a run that keeps killing its process is ended by it. */
  readonly unfinished_claims: Generated<number>;
}

export interface LedgerTable {
  readonly run: string;
  readonly seq: number;
  readonly version: number;
  readonly at: string;
  readonly event: JsonColumn<LedgerEvent>;
}

export interface StepTable {
  readonly run: string;
  readonly name: string;
  readonly output: JsonColumn<unknown>;
  readonly at: string;
}

export interface ContentTable {
  readonly hash: string;
  /** Bytes, because program output may hold a NUL, which a text column refuses. */
  readonly text: Uint8Array;
}

export interface MigrationTable {
  readonly number: number;
  readonly name: string;
  readonly at: Generated<string>;
}

export interface Tables {
  readonly inbox: InboxTable;
  readonly run: RunTable;
  readonly ledger: LedgerTable;
  readonly step: StepTable;
  readonly content: ContentTable;
  readonly migration: MigrationTable;
}
