import type { RunStore, RunSummary } from '../database/run-store.ts';
import type { PlanHash, RunId } from '../domain/ids.ts';
import type { Plan } from '../domain/plan.ts';
import type { RunState } from '../domain/run.ts';
import type { RunView } from '../domain/run-view.ts';
import { decideRun, type Judgement } from './decide-run.ts';
import { runsOfIssue, type Place } from './runs-of-issue.ts';

export interface Approval {
  readonly by: string;
  readonly planHash: PlanHash;
  /** Ordinals of the batches, sorted; null for all. */
  readonly only: readonly number[] | null;
}

export type ApproveResult =
  | { readonly kind: 'approved'; readonly run: RunId; readonly batches: number }
  /** Somebody approved it before, perhaps other batches. */
  | { readonly kind: 'already-approved'; readonly run: RunId; readonly by: string }
  /** This issue has no run, or its last one is past approval. */
  | { readonly kind: 'nothing-to-approve'; readonly last: { readonly run: RunId; readonly state: RunState } | null }
  | { readonly kind: 'not-planned-yet'; readonly run: RunId; readonly state: RunState }
  /** The hash is of another plan: an older one of this issue (`superseded`), or of none that is known. */
  | { readonly kind: 'other-plan'; readonly current: PlanHash; readonly superseded: boolean }
  | { readonly kind: 'no-such-batch'; readonly ordinals: readonly number[]; readonly batches: number }
  /** Chosen batches build on batches that were not chosen. */
  | { readonly kind: 'depends-on'; readonly missing: readonly number[] };

/** Records an approval of the waiting plan of that issue, decided under the run's lock. Admission starts the run. */
export async function approvePlan(
  store: Pick<RunStore, 'runsOf' | 'decide' | 'load'>,
  place: Place,
  approval: Approval,
): Promise<ApproveResult> {
  const runs = await runsOfIssue(store, place);
  const candidate = runs.find((run) => run.state === 'awaiting_approval') ?? runs[0];
  if (candidate === undefined) return { kind: 'nothing-to-approve', last: null };
  const result = await decideRun(store, candidate.id, (view) => judgeApproval(view, approval));
  if (result.kind !== 'other-plan') return result;
  return { ...result, superseded: await wasPlanned(store, runs, approval.planHash) };
}

/** What an approval means for the run as it is now. Pure. */
export function judgeApproval(view: RunView, approval: Approval): Judgement<ApproveResult> {
  const answer = (result: ApproveResult): Judgement<ApproveResult> => ({ result, events: [] });
  if (view.approval !== null && view.approval.planHash === approval.planHash) {
    // The same delivery handled twice must answer the same.
    const repeated = view.approval.by === approval.by && sameOrdinals(view.approval.only, approval.only);
    return answer(
      repeated
        ? { kind: 'approved', run: view.id, batches: countOf(view, approval) }
        : { kind: 'already-approved', run: view.id, by: view.approval.by },
    );
  }
  if (view.state !== 'awaiting_approval' || view.plan === null) return answer(unplanned(view));
  if (view.plan.hash !== approval.planHash)
    return answer({ kind: 'other-plan', current: view.plan.hash, superseded: false });
  const refused = refuseChoice(view.plan, approval.only);
  if (refused !== null) return answer(refused);
  return {
    result: { kind: 'approved', run: view.id, batches: countOf(view, approval) },
    events: [{ type: 'approved', ...approval }],
  };
}

function unplanned(view: RunView): ApproveResult {
  const comes = view.state === 'queued' || (view.plan === null && view.ending === null);
  return comes
    ? { kind: 'not-planned-yet', run: view.id, state: view.state }
    : { kind: 'nothing-to-approve', last: { run: view.id, state: view.state } };
}

function refuseChoice(plan: Plan, only: readonly number[] | null): ApproveResult | null {
  if (only === null) return null;
  const count = plan.batches.length;
  const unknown = only.filter((ordinal) => ordinal > count);
  if (unknown.length > 0) return { kind: 'no-such-batch', ordinals: unknown, batches: count };
  const chosen = new Set(only.map((ordinal) => plan.batches[ordinal - 1]?.id));
  const needed = new Set(only.flatMap((ordinal) => plan.batches[ordinal - 1]?.dependsOn ?? []));
  const missing = plan.batches.flatMap((batch, index) =>
    needed.has(batch.id) && !chosen.has(batch.id) ? [index + 1] : [],
  );
  return missing.length === 0 ? null : { kind: 'depends-on', missing };
}

function countOf(view: RunView, approval: Approval): number {
  return approval.only?.length ?? view.plan?.batches.length ?? 0;
}

function sameOrdinals(first: readonly number[] | null, second: readonly number[] | null): boolean {
  return first?.join() === second?.join();
}

async function wasPlanned(
  store: Pick<RunStore, 'load'>,
  runs: readonly RunSummary[],
  hash: PlanHash,
): Promise<boolean> {
  for (const run of runs) {
    const view = await store.load(run.id);
    if (view?.plan?.hash === hash) return true;
  }
  return false;
}
