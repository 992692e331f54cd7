import type { BatchId, CommitId } from '../domain/ids.ts';
import type { Checkpoint } from '../domain/checkpoint.ts';
import type { LedgerEvent } from '../domain/ledger.ts';
import type { RunContext } from './run-context.ts';
import type { RunView } from '../domain/run-view.ts';
import { pushToOwnBranch } from './own-branch.ts';
import { rebuildBranch } from './checkpoint/rebuild-branch.ts';
import { pushedCommit, standingCheckpoints } from '../domain/run-view.ts';
import { verifyTree } from './verify-tree.ts';

/**
 * The full verifier on the head of the branch. When it fails, the first checkpoint at which it fails is found by halving, dropped
 * with what no longer applies without it, and the rest is verified again, until the branch passes (an empty one is the base).
 */
export async function verifyBranch(context: RunContext): Promise<void> {
  for (;;) {
    const view = await context.view();
    const standing = standingCheckpoints(view);
    const head = standing.at(-1);
    if (head === undefined || (await verifyCheckpoint(head, context))) return;
    const culprit = await findCulprit(view, context);
    await dropFrom(culprit, standing, context);
  }
}

/** Recorded per tree: the same tree is never verified fully twice. */
async function verifyCheckpoint(checkpoint: Checkpoint, context: RunContext): Promise<boolean> {
  return context.steps.run(`full/${checkpoint.tree}`, async (signal) => {
    const result = await verifyTree({ tree: checkpoint.tree, level: 'full' }, context, signal);
    const event: LedgerEvent = {
      type: 'fully-verified',
      tree: checkpoint.tree,
      passed: result.passed,
      checks: result.checks,
    };
    return { output: result.passed, events: [event] };
  });
}

/** The first checkpoint since the last full pass at which the full verifier fails; the head is known to fail. */
async function findCulprit(view: RunView, context: RunContext): Promise<Checkpoint> {
  const standing = standingCheckpoints(view);
  const passed = new Set(view.fullVerifications.filter((event) => event.passed).map((event) => event.tree));
  let low = standing.findLastIndex((checkpoint) => passed.has(checkpoint.tree)) + 1;
  let high = standing.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const checkpoint = standing[middle];
    if (checkpoint === undefined) break;
    if (await verifyCheckpoint(checkpoint, context)) low = middle + 1;
    else high = middle;
  }
  const culprit = standing[low];
  if (culprit === undefined) throw new RangeError('A branch that fails has no failing checkpoint.');
  return culprit;
}

/** One step: the branch without the culprit, what came after it put on again where it applies, pushed over the old head. */
async function dropFrom(culprit: Checkpoint, standing: readonly Checkpoint[], context: RunContext): Promise<void> {
  const at = standing.indexOf(culprit);
  await context.steps.run(`drop/${culprit.commit}`, async (signal) => {
    const view = await context.view();
    const parent: CommitId = standing[at - 1]?.commit ?? context.baseCommit;
    const request = {
      git: context.git,
      parent,
      dropped: culprit,
      later: standing.slice(at + 1),
      push: { remote: await context.remote(), branch: view.branch ?? '', expected: pushedCommit(view) },
      identity: context.ports.site.committer,
      signal,
    };
    const rebuilt = await pushToOwnBranch(() => rebuildBranch(request), view, context.ports);
    const goneWith = rebuilt.notApplicable.filter((id) => id !== culprit.batch);
    return { output: null, events: dropEvents({ culprit, goneWith, moved: rebuilt.moved, view }) };
  });
}

function dropEvents(drop: {
  readonly culprit: Checkpoint;
  readonly goneWith: readonly BatchId[];
  readonly moved: readonly Checkpoint[];
  readonly view: RunView;
}): LedgerEvent[] {
  const checksOf = (id: BatchId) => drop.view.batches.find((entry) => entry.batch.id === id)?.checks ?? [];
  const events: LedgerEvent[] = [
    {
      type: 'batches-dropped',
      batches: [drop.culprit.batch],
      reason: 'the full verifier fails with it and passes without it',
    },
  ];
  if (drop.goneWith.length > 0) {
    events.push({
      type: 'batches-dropped',
      batches: drop.goneWith,
      reason: `it builds on ${drop.culprit.batch}, which was dropped`,
    });
  }
  return [
    ...events,
    ...drop.moved.map((checkpoint): LedgerEvent => ({
      type: 'batch-kept',
      checkpoint,
      checks: checksOf(checkpoint.batch),
    })),
  ];
}
