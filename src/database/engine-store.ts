import type { RunId } from '../domain/ids.ts';
import type { LedgerEvent } from '../domain/ledger.ts';
import type { RunState } from '../domain/run.ts';
import type { RunView } from '../domain/run-view.ts';
import { inTransaction, reaching } from './in-transaction.ts';
import { withRepository, withRun, type LedgerOptions, type LockedRepository, type LockedRun } from './ledger-writer.ts';
import type { Intent } from './run-store.ts';

/** One attempt of one job: what fences a worker that lost its job without noticing. */
export interface JobAttempt {
  readonly id: string;
  readonly attempt: number;
}

export interface Claim {
  readonly view: RunView;
  readonly cancelRequestedBy: string | null;
  /** Claims in a row, this one included, after which neither a step nor an orderly end followed. */
  readonly unfinishedClaims: number;
}

export interface StepRecord {
  readonly name: string;
  /** Survives JSON. */
  readonly output: unknown;
  readonly events: readonly LedgerEvent[];
}

export interface Release {
  readonly events: readonly LedgerEvent[];
  readonly intents: readonly Intent[];
  /** Try the job again later. */
  readonly again: { readonly intent: Intent; readonly afterMs: number; readonly failures: number } | null;
}

/** The engine's face of the store: who works on a run, and what it recorded. Every write is refused to a former worker. */
export interface EngineStore {
  /** Makes the attempt the one that may write. Null when `wanted` says that there is nothing to do in that state. */
  claim(run: RunId, job: JobAttempt, wanted: (state: RunState) => boolean): Promise<Claim | null>;
  readStep(run: RunId, name: string): Promise<{ readonly output: unknown } | null>;
  /** False, and nothing written, when another attempt has claimed the run. */
  recordStep(run: RunId, job: JobAttempt, step: StepRecord): Promise<boolean>;
  /** The orderly end of an attempt; `decide` sees the run under its lock. False as in `recordStep`. */
  release(
    run: RunId,
    job: JobAttempt,
    decide: (view: RunView, cancelRequestedBy: string | null) => Release,
  ): Promise<boolean>;
  /** Who asked for the end of which of these runs. */
  cancelRequests(runs: readonly RunId[]): Promise<ReadonlyMap<RunId, string>>;
  /** Sends its job to each active run. One that is being worked on is not disturbed: jobs of a run come one after the other. */
  resumeActiveRuns(): Promise<readonly RunId[]>;
  /** Looks at each repository that has live runs. */
  forEachRepository(work: (runs: LockedRepository) => Promise<void>): Promise<void>;
}

export function createEngineStore(options: LedgerOptions): EngineStore {
  const { kysely } = options.database;
  return {
    claim: (run, job, wanted) => withRun(options, run, (locked) => claim(locked, job, wanted)),
    readStep: async (run, name) => {
      const row = await reaching(() =>
        kysely.selectFrom('step').select('output').where('run', '=', run).where('name', '=', name).executeTakeFirst(),
      );
      return row ?? null;
    },
    recordStep: (run, job, step) => withRun(options, run, (locked) => recordStep(options, { locked, job }, step)),
    release: (run, job, decide) =>
      withRun(options, run, async (locked) => {
        if (!isHeldBy(locked, job)) return false;
        await release(options, locked, decide(locked.view, locked.row.cancel_requested_by));
        return true;
      }),
    cancelRequests: async (runs) => {
      if (runs.length === 0) return new Map();
      const rows = await reaching(() =>
        kysely
          .selectFrom('run')
          .select(['id', 'cancel_requested_by'])
          .where('id', 'in', runs)
          .where('cancel_requested_by', 'is not', null)
          .execute(),
      );
      return new Map(rows.map((row) => [row.id as RunId, row.cancel_requested_by ?? '']));
    },
    resumeActiveRuns: () => resumeActiveRuns(options),
    forEachRepository: async (work) => {
      const rows = await reaching(() => kysely.selectFrom('run').select('repository').distinct().execute());
      for (const { repository } of rows) await withRepository(options, repository, work);
    },
  };
}

async function claim(locked: LockedRun, job: JobAttempt, wanted: (state: RunState) => boolean): Promise<Claim | null> {
  const { trx, row, view } = locked;
  if (!wanted(view.state)) return null;
  const unfinishedClaims = row.unfinished_claims + 1;
  await trx
    .updateTable('run')
    .set({ job_id: job.id, job_attempt: job.attempt, unfinished_claims: unfinishedClaims })
    .where('id', '=', row.id)
    .execute();
  return { view, cancelRequestedBy: row.cancel_requested_by, unfinishedClaims };
}

async function recordStep(
  options: LedgerOptions,
  held: { readonly locked: LockedRun; readonly job: JobAttempt },
  step: StepRecord,
): Promise<boolean> {
  const { locked } = held;
  if (!isHeldBy(locked, held.job)) return false;
  const { trx, row } = locked;
  await trx
    .insertInto('step')
    .values({
      run: row.id,
      name: step.name,
      output: JSON.stringify(step.output),
      at: options.clock.now().toISOString(),
    })
    .execute();
  await trx.updateTable('run').set({ unfinished_claims: 1 }).where('id', '=', row.id).execute();
  await locked.append(step.events);
  return true;
}

async function release(options: LedgerOptions, locked: LockedRun, given: Release): Promise<void> {
  const { trx, row } = locked;
  await trx
    .updateTable('run')
    .set({ job_id: null, job_attempt: null, unfinished_claims: 0 })
    .where('id', '=', row.id)
    .execute();
  if (given.again !== null) {
    const { intent, ...deferred } = given.again;
    await options.send(trx, { intent, installation: row.installation, deferred });
  }
  await locked.append(given.events, given.intents);
}

function isHeldBy({ row }: LockedRun, job: JobAttempt): boolean {
  return row.job_id === job.id && row.job_attempt === job.attempt;
}

async function resumeActiveRuns(options: LedgerOptions): Promise<readonly RunId[]> {
  const active = await reaching(() =>
    options.database.kysely
      .selectFrom('run')
      .select(['id', 'installation'])
      .where('state', 'in', ['preparing', 'baseline', 'indexing', 'planning', 'executing', 'finalizing'])
      .orderBy('ready_at')
      .execute(),
  );
  for (const row of active) {
    const intent: Intent = { kind: 'advance-run', run: row.id as RunId };
    await inTransaction(options.database, (trx) => options.send(trx, { intent, installation: row.installation }));
  }
  return active.map((row) => row.id as RunId);
}
