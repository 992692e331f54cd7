import type { BatchId, CommitId, PlanHash, RunId } from './ids.ts';
import type { AttemptFailure, CheckSummary, LedgerEvent, LedgerRecord } from './ledger.ts';
import type { Batch, Plan } from './plan.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Figures } from './figures.ts';
import { BotError } from './errors.ts';
import { hasEnded, isActive, mayFollow, type RunRequest, type RunState } from './run.ts';

export type BatchStatus = 'planned' | 'not-approved' | 'kept' | 'failed' | 'skipped' | 'noop' | 'dropped';

export interface BatchView {
  readonly batch: Batch;
  readonly status: BatchStatus;
  readonly failures: readonly { readonly attempt: number; readonly failure: AttemptFailure }[];
  readonly checkpoint: Checkpoint | null;
  readonly checks: readonly CheckSummary[];
  /** Why it is not kept; empty otherwise. */
  readonly reason: string;
}

/** A run as its ledger tells it. Never set by hand: always the fold of all its records. */
export interface RunView {
  readonly id: RunId;
  readonly request: RunRequest;
  readonly state: RunState;
  readonly baseCommit: CommitId | null;
  readonly branch: string | null;
  readonly baseline: Extract<LedgerEvent, { type: 'baseline-recorded' }> | null;
  readonly figuresBefore: Figures | null;
  readonly indexedFiles: number;
  readonly plan: Plan | null;
  readonly approval: {
    readonly by: string;
    readonly planHash: PlanHash;
    readonly only: readonly number[] | null;
  } | null;
  readonly batches: readonly BatchView[];
  readonly fullVerifications: readonly Extract<LedgerEvent, { type: 'fully-verified' }>[];
  readonly result: Extract<LedgerEvent, { type: 'measured' }> | null;
  readonly pullRequest: { readonly number: number; readonly url: string } | null;
  /** The last event that ended the run, or null while it lives. */
  readonly ending: Extract<
    LedgerEvent,
    { type: 'accepted' | 'rejected' | 'completed' | 'cancelled' | 'failed' }
  > | null;
  readonly startedAt: string;
  readonly lastEventAt: string;
  /** Milliseconds it was at work before `activeSince`: waiting for its turn, an approval or a review does not count. */
  readonly activeMs: number;
  /** When it last went from waiting to work; null while it waits and once it has ended. */
  readonly activeSince: string | null;
}

/** The run a ledger describes. Throws `invariant-broken` for a ledger that no run can have written. */
export function foldRun(records: readonly LedgerRecord[]): RunView {
  const first = records[0];
  if (first?.event.type !== 'run-requested')
    throw new BotError('invariant-broken', 'A ledger must begin with run-requested.');
  let view = emptyView(first.event.request, first.at);
  for (const record of records.slice(1)) {
    const next = applyEvent(view, record.event);
    view = { ...next, ...workTime(view, next.state, record.at), lastEventAt: record.at };
  }
  return view;
}

function workTime(before: RunView, state: RunState, at: string): Pick<RunView, 'activeMs' | 'activeSince'> {
  const { activeMs, activeSince } = before;
  if (isActive(before.state) === isActive(state)) return { activeMs, activeSince };
  return isActive(state) ? { activeMs, activeSince: at } : { activeMs: timeAtWork(before, at), activeSince: null };
}

/** Milliseconds the run has been at work until `now` (ISO 8601): what its time limit is about. */
export function timeAtWork(view: RunView, now: string): number {
  if (view.activeSince === null) return view.activeMs;
  return view.activeMs + Math.max(0, Date.parse(now) - Date.parse(view.activeSince));
}

function emptyView(request: RunRequest, at: string): RunView {
  return {
    id: request.id,
    request,
    state: 'queued',
    baseCommit: null,
    branch: null,
    baseline: null,
    figuresBefore: null,
    indexedFiles: 0,
    plan: null,
    approval: null,
    batches: [],
    fullVerifications: [],
    result: null,
    pullRequest: null,
    ending: null,
    startedAt: at,
    lastEventAt: at,
    activeMs: 0,
    activeSince: null,
  };
}

function applyEvent(view: RunView, event: LedgerEvent): RunView {
  switch (event.type) {
    case 'run-requested':
      throw new BotError('invariant-broken', `Run ${view.id} was requested twice in its ledger.`);
    case 'state-entered':
      return enterState(view, event.state);
    case 'prepared':
      return { ...view, baseCommit: event.baseCommit, branch: event.branch };
    case 'baseline-recorded':
      return { ...view, baseline: event };
    case 'indexed':
      return { ...view, figuresBefore: event.figures, indexedFiles: event.files };
    case 'planned':
      return { ...view, plan: event.plan, batches: event.plan.batches.map(toBatchView) };
    case 'approved':
      return approve(view, event);
    case 'fully-verified':
      return { ...view, fullVerifications: [...view.fullVerifications, event] };
    case 'measured':
      return { ...view, result: event };
    case 'pull-request-opened':
      return { ...view, pullRequest: { number: event.number, url: event.url } };
    case 'accepted':
    case 'rejected':
    case 'completed':
    case 'cancelled':
    case 'failed':
      return { ...view, ending: event };
    default:
      return { ...view, batches: applyToBatches(view.batches, event) };
  }
}

function enterState(view: RunView, state: RunState): RunView {
  if (!mayFollow(view.state, state)) {
    throw new BotError('invariant-broken', `Run ${view.id} cannot go from ${view.state} to ${state}.`);
  }
  return { ...view, state };
}

function toBatchView(batch: Batch): BatchView {
  return { batch, status: 'planned', failures: [], checkpoint: null, checks: [], reason: '' };
}

function approve(view: RunView, event: Extract<LedgerEvent, { type: 'approved' }>): RunView {
  const only = event.only;
  const batches = view.batches.map((entry, index) =>
    only === null || only.includes(index + 1)
      ? entry
      : { ...entry, status: 'not-approved' as const, reason: 'not in the approval' },
  );
  return { ...view, batches, approval: { by: event.by, planHash: event.planHash, only } };
}

type BatchEvent = Extract<
  LedgerEvent,
  { type: 'attempt-failed' | 'batch-kept' | 'batch-failed' | 'batch-skipped' | 'batch-noop' | 'batches-dropped' }
>;

function applyToBatches(batches: readonly BatchView[], event: BatchEvent): readonly BatchView[] {
  const change = (id: BatchId, how: (entry: BatchView) => BatchView) =>
    batches.map((entry) => (entry.batch.id === id ? how(entry) : entry));
  switch (event.type) {
    case 'attempt-failed':
      return change(event.batch, (entry) => ({
        ...entry,
        failures: [...entry.failures, { attempt: event.attempt, failure: event.failure }],
      }));
    case 'batch-kept':
      return change(event.checkpoint.batch, (entry) => ({
        ...entry,
        status: 'kept',
        checkpoint: event.checkpoint,
        checks: event.checks,
      }));
    case 'batch-failed':
      return change(event.batch, (entry) => ({ ...entry, status: 'failed', reason: event.reason }));
    case 'batch-skipped':
      return change(event.batch, (entry) => ({ ...entry, status: 'skipped', reason: event.reason }));
    case 'batch-noop':
      return change(event.batch, (entry) => ({ ...entry, status: 'noop', reason: event.reason }));
    case 'batches-dropped':
      return batches.map((entry) =>
        event.batches.includes(entry.batch.id) ? { ...entry, status: 'dropped' as const, reason: event.reason } : entry,
      );
  }
}

/** True while somebody may still cancel it. */
export function isLive(view: RunView): boolean {
  return !hasEnded(view.state);
}

/** The commit the work branch stands at: the last standing checkpoint, else the base. Null before the run was prepared. */
export function headCommit(view: RunView): CommitId | null {
  return standingCheckpoints(view).at(-1)?.commit ?? view.baseCommit;
}

/** The commit the work branch was last pushed at; null while nothing was pushed. It may be the base, when all was dropped again. */
export function pushedCommit(view: RunView): CommitId | null {
  return view.batches.some((entry) => entry.checkpoint !== null) ? headCommit(view) : null;
}

/** Checkpoints that stand on the branch, in order. */
export function standingCheckpoints(view: RunView): readonly Checkpoint[] {
  return view.batches.flatMap((entry) =>
    entry.status === 'kept' && entry.checkpoint !== null ? [entry.checkpoint] : [],
  );
}
