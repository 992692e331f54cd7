import type { Ports } from './ports.ts';
import type { RunContext } from './run-context.ts';
import type { RunId } from '../domain/ids.ts';
import type { RunState } from '../domain/run.ts';
import type { Steps } from '../engine/durable-step.ts';
import { BotError } from '../domain/errors.ts';
import { executePlan } from './execute-plan.ts';
import { finalizeRun } from './finalize-run.ts';
import { isActive } from '../domain/run.ts';
import { openRun } from './open-run.ts';
import { planBatches, indexRepository } from './plan-batches.ts';
import { proveBaseline } from './prove-baseline.ts';
import { tryPublishProgress } from './delivery/publish-progress.ts';
import { prepareRun } from './prepare-run.ts';

/**
 * The phase of each active state. A phase does its work in durable steps and leaves by entering another state, which it records in
 * the same transaction as its last result.
 */
const PHASES: Partial<Record<RunState, (context: RunContext) => Promise<void>>> = {
  preparing: prepareRun,
  baseline: proveBaseline,
  indexing: indexRepository,
  planning: planBatches,
  executing: executePlan,
  finalizing: finalizeRun,
};

/**
 * THE FLOW: takes a run from where its ledger stands to where it waits (approval, review) or ends. Interrupted at any instruction,
 * it is called again and goes on. Expected ends (red baseline, nothing to do) are recorded; only faults are thrown. What is said of
 * a run that waits or has ended is `settle-run`'s.
 */
export async function refactorRepository(id: RunId, steps: Steps, ports: Ports): Promise<void> {
  const context = await openRun(id, steps, ports);
  let view = await context.view();
  while (isActive(view.state)) {
    const phase = PHASES[view.state];
    if (phase === undefined) throw new BotError('invariant-broken', `No phase for the state ${view.state}.`);
    await tryPublishProgress(view, ports);
    await phase(context);
    const next = await context.view();
    if (next.state === view.state)
      throw new BotError('invariant-broken', `The phase ${view.state} did not leave its state.`);
    view = next;
  }
}
