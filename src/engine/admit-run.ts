import type { AfterChange, LiveRun, LockedRepository, RunChange } from '../database/ledger-writer.ts';
import { cancelledBy } from '../domain/endings.ts';
import type { RunId } from '../domain/ids.ts';
import { isActive, type RunState } from '../domain/run.ts';

/**
 * Keeps the rules between the runs of a repository, in the transaction of the write that touches them: one is active at a time,
 * the others wait their turn, and a newer plan takes the place of one that nobody approved. A run that stops being at work is
 * settled: were that left to the worker that recorded its last step, a kill just after it would leave the old word standing.
 */
export const afterRunChange: AfterChange = async (runs, change) => {
  if (bringsPlan(change)) await supersede(runs, change.run);
  if (mayFreeOrFillSlot(change)) await admitNext(runs);
  if (leftItsSlot(change)) await runs.append(change.run, [], [{ kind: 'settle-run', run: change.run }]);
};

/** Lets the next run of the repository begin, if none is active. The unique index on the table refuses a second one. */
export async function admitNext(runs: LockedRepository): Promise<void> {
  const next = chooseNext(await runs.liveRuns());
  if (next === null) return;
  await runs.append(
    next.run,
    [{ type: 'state-entered', state: next.enters }],
    [{ kind: 'advance-run', run: next.run }],
  );
}

/** The longest waiting of the runs that ask to begin and of those whose plan was approved; null while one is active. */
export function chooseNext(live: readonly LiveRun[]): { readonly run: RunId; readonly enters: RunState } | null {
  if (live.some((run) => isActive(run.state))) return null;
  const [first] = live.filter(isReady).sort(byTime);
  if (first === undefined) return null;
  return { run: first.id, enters: first.state === 'queued' ? 'preparing' : 'executing' };
}

/** Older runs whose plan waits for an approval that it will not get any more. */
export function chooseSuperseded(live: readonly LiveRun[], by: RunId): readonly RunId[] {
  const newer = live.find((run) => run.id === by);
  if (newer === undefined) return [];
  return live
    .filter((run) => run.state === 'awaiting_approval' && !run.approved && run.id !== by)
    .filter((run) => run.requested_at <= newer.requested_at)
    .map((run) => run.id);
}

async function supersede(runs: LockedRepository, by: RunId): Promise<void> {
  for (const run of chooseSuperseded(await runs.liveRuns(), by)) {
    await runs.append(run, cancelledBy(`superseded by ${by}`), [{ kind: 'settle-run', run }]);
  }
}

const WITHOUT_PLAN: ReadonlySet<RunState> = new Set(['preparing', 'baseline', 'indexing', 'planning']);
const WITH_PLAN: ReadonlySet<RunState> = new Set(['awaiting_approval', 'executing', 'finalizing']);

function bringsPlan({ before, after }: RunChange): boolean {
  return before !== null && WITHOUT_PLAN.has(before) && WITH_PLAN.has(after);
}

function mayFreeOrFillSlot(change: RunChange): boolean {
  return change.before === null || change.approvedNow || leftItsSlot(change);
}

function leftItsSlot({ before, after }: RunChange): boolean {
  return before !== null && isActive(before) && !isActive(after);
}

function isReady(run: LiveRun): boolean {
  return run.state === 'queued' || (run.state === 'awaiting_approval' && run.approved);
}

function byTime(left: LiveRun, right: LiveRun): number {
  if (left.ready_at !== right.ready_at) return left.ready_at < right.ready_at ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}
