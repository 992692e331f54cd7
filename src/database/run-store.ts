import type { DeliveryId, RunId } from '../domain/ids.ts';
import type { LedgerEvent, LedgerRecord } from '../domain/ledger.ts';
import type { RunRequest, RunState } from '../domain/run.ts';
import type { RunView } from '../domain/run-view.ts';

/** Work for the worker, sent in the transaction that makes it necessary. */
export type Intent =
  /** Go on with the run from where its ledger stands. */
  | { readonly kind: 'advance-run'; readonly run: RunId }
  /** The run ended or its pull request closed: last comment, labels, branch, next in the queue. */
  | { readonly kind: 'settle-run'; readonly run: RunId };

export interface DeliveryRow {
  readonly id: DeliveryId;
  readonly event: string;
  readonly payload: unknown;
  readonly receivedAt: string;
}

/** What a repository's runs are known by. */
export interface RunSummary {
  readonly id: RunId;
  readonly state: RunState;
  readonly repository: string;
  readonly issueNumber: number;
  readonly pullRequest: number | null;
  readonly branch: string;
}

/** The one store: inbox, runs, ledger, steps, large outputs. PGlite or PostgreSQL behind the same code. */
export interface RunStore {
  /** One row; false when that delivery was stored before. Nothing else happens in the request. */
  acceptDelivery(row: DeliveryRow): Promise<boolean>;
  getDelivery(id: DeliveryId): Promise<DeliveryRow | null>;
  /** Called when its handling ended, also when it was for nobody. Its payload is forgotten. */
  settleDelivery(id: DeliveryId, outcome: { readonly handledAs: string; readonly error: string | null }): Promise<void>;

  /** Records the request and asks for admission, in one transaction. False when that run is already recorded. */
  createRun(request: RunRequest): Promise<boolean>;
  /** Appends to the ledger, writes the projection, sends the intents; one transaction, serialised per run. */
  append(run: RunId, events: readonly LedgerEvent[], intents?: readonly Intent[]): Promise<RunView>;
  /**
   * As `append`, but decided under the run's lock: `decide` sees the run as it is and answers what to write, or null for nothing.
   * For everything that depends on the state (approve, cancel, accept, reject).
   */
  decide(
    run: RunId,
    decide: (view: RunView) => { readonly events: readonly LedgerEvent[]; readonly intents?: readonly Intent[] } | null,
  ): Promise<RunView>;
  load(run: RunId): Promise<RunView | null>;
  ledger(run: RunId): Promise<readonly LedgerRecord[]>;
  /** Runs of a repository (`owner/name`), newest first. */
  runsOf(repository: string): Promise<readonly RunSummary[]>;
  /** The run whose work branch that is; null for a branch that is not ours. */
  runOfBranch(repository: string, branch: string): Promise<RunSummary | null>;
  /** Asks a running run to stop; the worker notices within seconds. */
  requestCancel(run: RunId, by: string): Promise<void>;
  cancelRequestedBy(run: RunId): Promise<string | null>;

  /** Large outputs by content hash: check output, diffs, reports. Answers the hash. */
  putContent(text: string): Promise<string>;
  getContent(hash: string): Promise<string | null>;
}
