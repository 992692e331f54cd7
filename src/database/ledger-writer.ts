import { sql, type Selectable, type Transaction } from 'kysely';
import { BotError } from '../domain/errors.ts';
import type { Clock } from '../domain/clock.ts';
import type { RunId } from '../domain/ids.ts';
import type { LedgerEvent, LedgerRecord } from '../domain/ledger.ts';
import type { RunState } from '../domain/run.ts';
import type { RunView } from '../domain/run-view.ts';
import { fullName } from '../domain/repository.ts';
import { workBranch, type RunRequest } from '../domain/run.ts';
import type { Database } from './database.ts';
import { inTransaction, reaching } from './in-transaction.ts';
import { projectRun } from './project-run.ts';
import type { Intent } from './run-store.ts';
import type { RunTable, Tables } from './tables.ts';

export type RunRow = Selectable<RunTable>;

/** A job to send with the transaction that makes it necessary. `deferred` is for trying again later. */
export interface IntendedJob {
  readonly intent: Intent;
  readonly installation: string;
  readonly deferred?: { readonly afterMs: number; readonly failures: number };
}
export type SendJob = (trx: Transaction<Tables>, job: IntendedJob) => Promise<void>;

/** A run that has not ended. */
export type LiveRun = Pick<RunRow, 'state' | 'approved' | 'ready_at' | 'requested_at'> & { readonly id: RunId };

export interface RunChange {
  readonly run: RunId;
  /** Null for a run that was just recorded. */
  readonly before: RunState | null;
  readonly after: RunState;
  readonly approvedNow: boolean;
}

/** The runs of one repository while nobody else may write any of them. */
export interface LockedRepository {
  readonly liveRuns: () => Promise<readonly LiveRun[]>;
  readonly append: (run: RunId, events: readonly LedgerEvent[], intents: readonly Intent[]) => Promise<void>;
}

/** What follows for the other runs of the repository; called in the transaction of every write to a ledger. */
export type AfterChange = (runs: LockedRepository, change: RunChange) => Promise<void>;

export interface LedgerOptions {
  readonly database: Pick<Database, 'kysely'>;
  readonly clock: Clock;
  readonly send: SendJob;
  readonly afterChange: AfterChange;
}

export interface LockedRun {
  readonly trx: Transaction<Tables>;
  readonly row: RunRow;
  readonly view: RunView;
  /** At most once in a transaction. */
  readonly append: (events: readonly LedgerEvent[], intents?: readonly Intent[]) => Promise<RunView>;
}

/**
 * Runs `work` while it alone may write the runs of this run's repository. The lock is the repository's and not the run's,
 * because a write may admit or supersede other runs of it: with one lock for each transaction none can wait for another in a circle.
 */
export async function withRun<Result>(
  options: LedgerOptions,
  run: RunId,
  work: (locked: LockedRun) => Promise<Result>,
): Promise<Result> {
  return inTransaction(options.database, async (trx) => {
    const { repository } = await readRow(trx, run);
    await lockRepository(trx, repository);
    const row = await readRow(trx, run);
    const records = await readLedger(trx, run);
    return work({
      trx,
      row,
      view: projectRun(records).view,
      append: (events, intents = []) => append(options, { trx, row, records }, { events, intents }),
    });
  });
}

/** As `withRun` for a repository as a whole. */
export async function withRepository(
  options: LedgerOptions,
  repository: string,
  work: (runs: LockedRepository) => Promise<void>,
): Promise<void> {
  await inTransaction(options.database, async (trx) => {
    await lockRepository(trx, repository);
    await work(lockedRepository(options, trx, repository));
  });
}

/** Records a run under its first ledger event. False when it is recorded already. */
export async function insertRun(options: LedgerOptions, request: RunRequest): Promise<boolean> {
  return inTransaction(options.database, async (trx) => {
    const repository = fullName(request.repository);
    await lockRepository(trx, repository);
    const known = await trx.selectFrom('run').select('id').where('id', '=', request.id).executeTakeFirst();
    if (known !== undefined) return false;
    const records = toRecords(options, [], [{ type: 'run-requested', request }]);
    await trx
      .insertInto('run')
      .values({
        id: request.id,
        repository,
        installation: String(request.repository.installationId),
        issue_number: request.issueNumber,
        branch: workBranch(request.id),
        requested_at: request.requestedAt,
        ...projectRun(records).row,
      })
      .execute();
    await insertRecords(trx, request.id, records);
    await options.afterChange(lockedRepository(options, trx, repository), {
      run: request.id,
      before: null,
      after: 'queued',
      approvedNow: false,
    });
    return true;
  });
}

export async function readLedger(db: Database['kysely'], run: RunId): Promise<readonly LedgerRecord[]> {
  const rows = await reaching(() =>
    db.selectFrom('ledger').select(['seq', 'version', 'at', 'event']).where('run', '=', run).orderBy('seq').execute(),
  );
  return rows.map((row) => ({ seq: row.seq, version: toVersion(row.version), at: row.at, event: row.event }));
}

interface LockedRow {
  readonly trx: Transaction<Tables>;
  readonly row: RunRow;
  readonly records: readonly LedgerRecord[];
}

async function append(
  options: LedgerOptions,
  locked: LockedRow,
  write: { readonly events: readonly LedgerEvent[]; readonly intents: readonly Intent[] },
): Promise<RunView> {
  const { trx, row } = locked;
  const before = projectRun(locked.records).row;
  const view = await writeEvents(options, locked, write);
  if (write.events.length === 0) return view;
  await options.afterChange(lockedRepository(options, trx, row.repository), {
    run: view.id,
    before: before.state,
    after: view.state,
    approvedNow: !before.approved && view.approval !== null,
  });
  // What followed may have been about this run: an approved one that found its repository free goes on at once.
  return projectRun(await readLedger(trx, view.id)).view;
}

async function writeEvents(
  options: LedgerOptions,
  locked: LockedRow,
  write: { readonly events: readonly LedgerEvent[]; readonly intents: readonly Intent[] },
): Promise<RunView> {
  const { trx, row, records } = locked;
  const added = toRecords(options, records, write.events);
  const after = projectRun([...records, ...added]);
  await insertRecords(trx, after.view.id, added);
  await trx.updateTable('run').set(after.row).where('id', '=', row.id).execute();
  for (const intent of write.intents) await options.send(trx, { intent, installation: row.installation });
  return after.view;
}

function lockedRepository(options: LedgerOptions, trx: Transaction<Tables>, repository: string): LockedRepository {
  return {
    liveRuns: async () => {
      const rows = await trx
        .selectFrom('run')
        .select(['id', 'state', 'approved', 'ready_at', 'requested_at'])
        .where('repository', '=', repository)
        .where('state', 'not in', ['accepted', 'rejected', 'completed', 'failed', 'cancelled'])
        .execute();
      return rows.map((row) => ({ ...row, id: row.id as RunId }));
    },
    append: async (run, events, intents) => {
      const locked = { trx, row: await readRow(trx, run), records: await readLedger(trx, run) };
      await writeEvents(options, locked, { events, intents });
    },
  };
}

async function lockRepository(trx: Transaction<Tables>, repository: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`refactor-bot ${repository}`}, 0))`.execute(trx);
}

async function readRow(trx: Transaction<Tables>, run: RunId): Promise<RunRow> {
  const row = await trx.selectFrom('run').selectAll().where('id', '=', run).executeTakeFirst();
  if (row === undefined) throw new BotError('invariant-broken', `There is no run ${run} in the database.`);
  return row;
}

function toRecords(
  options: LedgerOptions,
  before: readonly LedgerRecord[],
  events: readonly LedgerEvent[],
): readonly LedgerRecord[] {
  const at = options.clock.now().toISOString();
  return events.map((event, index) => ({ seq: before.length + index + 1, version: 1, at, event }));
}

async function insertRecords(trx: Transaction<Tables>, run: RunId, records: readonly LedgerRecord[]): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map((record) => ({ ...record, run, event: JSON.stringify(record.event) }));
  await trx.insertInto('ledger').values(rows).execute();
}

function toVersion(version: number): 1 {
  if (version === 1) return version;
  throw new BotError(
    'database-newer',
    `A ledger record has version ${version}, this program knows version 1. Start a newer release.`,
  );
}
