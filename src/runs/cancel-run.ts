import type { RunStore } from '../database/run-store.ts';
import { cancelledBy } from '../domain/endings.ts';
import type { RunId } from '../domain/ids.ts';
import { hasEnded, isActive, type RunState } from '../domain/run.ts';
import { isLive, type RunView } from '../domain/run-view.ts';
import { decideRun, type Judgement } from './decide-run.ts';
import { runsOfIssue, type Place } from './runs-of-issue.ts';

export type CancelResult =
  | { readonly kind: 'cancelled'; readonly run: RunId }
  /** A worker has it and stops within seconds. */
  | { readonly kind: 'stopping'; readonly run: RunId; readonly state: RunState }
  /** Its pull request is open: closing that is how it is rejected. */
  | { readonly kind: 'in-review'; readonly run: RunId; readonly pullRequest: number | null }
  | { readonly kind: 'nothing-to-cancel' };

/** Cancels the newest live run of that issue: at once when it waits, through its worker when it is at work. */
export async function cancelRun(
  store: Pick<RunStore, 'runsOf' | 'decide' | 'requestCancel'>,
  place: Place,
  by: string,
): Promise<CancelResult> {
  const runs = await runsOfIssue(store, place);
  const liveFirst = runs.toSorted((a, b) => Number(hasEnded(a.state)) - Number(hasEnded(b.state)));
  for (const run of liveFirst) {
    const result = await decideRun(store, run.id, (view) => judgeCancel(view, by));
    if (result.kind === 'stopping') await store.requestCancel(run.id, by);
    if (result.kind !== 'nothing-to-cancel') return result;
  }
  return { kind: 'nothing-to-cancel' };
}

/** What cancelling means for the run as it is now. Pure. */
export function judgeCancel(view: RunView, by: string): Judgement<CancelResult> {
  const answer = (result: CancelResult): Judgement<CancelResult> => ({ result, events: [] });
  if (isActive(view.state)) return answer({ kind: 'stopping', run: view.id, state: view.state });
  if (view.state === 'in_review')
    return answer({ kind: 'in-review', run: view.id, pullRequest: view.pullRequest?.number ?? null });
  if (isLive(view)) {
    return {
      result: { kind: 'cancelled', run: view.id },
      events: cancelledBy(by),
      intents: [{ kind: 'settle-run', run: view.id }],
    };
  }
  // The same delivery handled twice must answer the same.
  const repeated = view.ending?.type === 'cancelled' && view.ending.by === by;
  return answer(repeated ? { kind: 'cancelled', run: view.id } : { kind: 'nothing-to-cancel' });
}
