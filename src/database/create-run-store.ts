import type { Selectable } from 'kysely';
import type { RunId } from '../domain/ids.ts';
import { hasEnded, isActive } from '../domain/run.ts';
import { cancelledBy } from '../domain/endings.ts';
import { createContentStore } from './content-store.ts';
import { createInboxStore } from './inbox-store.ts';
import { reaching } from './in-transaction.ts';
import { insertRun, readLedger, withRun, type LedgerOptions } from './ledger-writer.ts';
import { projectRun } from './project-run.ts';
import type { RunStore, RunSummary } from './run-store.ts';
import type { RunTable } from './tables.ts';

export function createRunStore(options: LedgerOptions): RunStore {
  return {
    ...createInboxStore(options.database, options.clock),
    ...createContentStore(options.database),
    ...createRunReader(options),
    createRun: (request) => insertRun(options, request),
    append: (run, events, intents = []) => withRun(options, run, (locked) => locked.append(events, intents)),
    decide: (run, decide) =>
      withRun(options, run, async (locked) => {
        const decision = decide(locked.view);
        return decision === null ? locked.view : locked.append(decision.events, decision.intents);
      }),
    requestCancel: (run, by) => requestCancel(options, run, by),
  };
}

type RunReader = Pick<RunStore, 'load' | 'ledger' | 'runsOf' | 'runOfBranch' | 'cancelRequestedBy'>;

function createRunReader({ database }: Pick<LedgerOptions, 'database'>): RunReader {
  const { kysely } = database;
  const newestFirst = (repository: string) =>
    kysely
      .selectFrom('run')
      .selectAll()
      .where('repository', '=', repository)
      .orderBy('requested_at', 'desc')
      .orderBy('id', 'desc');
  return {
    load: async (run) => {
      const records = await readLedger(kysely, run);
      return records.length === 0 ? null : projectRun(records).view;
    },
    ledger: (run) => readLedger(kysely, run),
    runsOf: async (repository) => {
      const rows = await reaching(() => newestFirst(repository).execute());
      return rows.map(toSummary);
    },
    runOfBranch: async (repository, branch) => {
      const row = await reaching(() => newestFirst(repository).where('branch', '=', branch).executeTakeFirst());
      return row === undefined ? null : toSummary(row);
    },
    cancelRequestedBy: async (run) => {
      const row = await reaching(() =>
        kysely.selectFrom('run').select('cancel_requested_by').where('id', '=', run).executeTakeFirst(),
      );
      return row?.cancel_requested_by ?? null;
    },
  };
}

/**
 * A running run is stopped by its worker; the job sent with the request is for one that waits to be tried again. A run that
 * left the active states meanwhile has no worker, and is cancelled here.
 */
async function requestCancel(options: LedgerOptions, run: RunId, by: string): Promise<void> {
  await withRun(options, run, async ({ trx, row, view, append }) => {
    if (hasEnded(view.state) || row.cancel_requested_by !== null) return;
    await trx.updateTable('run').set({ cancel_requested_by: by }).where('id', '=', run).execute();
    if (isActive(view.state)) await append([], [{ kind: 'advance-run', run }]);
    else await append(cancelledBy(by), [{ kind: 'settle-run', run }]);
  });
}

function toSummary(row: Selectable<RunTable>): RunSummary {
  return {
    id: row.id as RunId,
    state: row.state,
    repository: row.repository,
    issueNumber: row.issue_number,
    pullRequest: row.pull_request,
    branch: row.branch,
  };
}
