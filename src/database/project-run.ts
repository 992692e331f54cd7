import { foldRun, type RunView } from '../domain/run-view.ts';
import type { LedgerRecord } from '../domain/ledger.ts';
import type { RunTable } from './tables.ts';

export type RunProjection = Pick<RunTable, 'state' | 'pull_request' | 'approved' | 'ready_at' | 'ledger_length'>;

/** What the run row says, as far as it follows from the ledger. Pure: a test folds every stored ledger again and compares. */
export function projectRun(records: readonly LedgerRecord[]): { readonly view: RunView; readonly row: RunProjection } {
  const view = foldRun(records);
  const approval = records.find((record) => record.event.type === 'approved');
  return {
    view,
    row: {
      state: view.state,
      pull_request: view.pullRequest?.number ?? null,
      approved: approval !== undefined,
      ready_at: approval?.at ?? view.request.requestedAt,
      ledger_length: records.length,
    },
  };
}
