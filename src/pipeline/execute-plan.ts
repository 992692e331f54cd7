import type { BatchView } from '../domain/run-view.ts';
import type { RunContext } from './run-context.ts';
import { tryPublishProgress } from './delivery/publish-progress.ts';
import { refactorBatch } from './refactor-batch.ts';
import { standingCheckpoints, timeAtWork } from '../domain/run-view.ts';
import { verifyBranch } from './verify-branch.ts';

/**
 * The batches of the approved plan, in order. Which are left is read from the ledger before each one, so a resumed run goes on where
 * it stopped; what fails is passed over (or stops the rest, by `on_batch_failure`), and what passed is kept.
 */
export async function executePlan(context: RunContext): Promise<void> {
  if (!(await isApprovalGood(context))) return;
  // Due since the last batch, if a kill came in between.
  await verifyEveryFew(context);
  for (let entry = await nextBatch(context); entry !== null; entry = await nextBatch(context)) {
    const obstacle = await findObstacle(entry, context);
    if (obstacle === null) await refactorBatch(entry.batch, context);
    else await skipBatch(entry, obstacle, context);
    await verifyEveryFew(context);
    await tryPublishProgress(await context.view(), context.ports);
  }
  await context.steps.run('executed', async () => ({
    output: null,
    events: [{ type: 'state-entered', state: 'finalizing' }],
  }));
}

/** An approval is for one commit: when the base moved while the plan waited, it is void and the run ends with words. */
async function isApprovalGood(context: RunContext): Promise<boolean> {
  const { approval } = await context.view();
  if (approval === null) return true;
  const { repository } = context.request;
  return context.steps.run('approval', async () => {
    const head = await context.ports.repositories.branchHead(repository, repository.defaultBranch);
    if (head === context.baseCommit) return { output: true };
    const message = `${repository.defaultBranch} moved on while the plan waited, so the approval no longer holds. Nothing was changed; \`/refactor plan\` makes a plan for its new head.`;
    return {
      output: false,
      events: [
        { type: 'failed', code: 'approval-void', category: 'user', message, evidence: '' },
        { type: 'state-entered', state: 'failed' },
      ],
    };
  });
}

async function nextBatch(context: RunContext): Promise<BatchView | null> {
  const { batches } = await context.view();
  return batches.find((entry) => entry.status === 'planned') ?? null;
}

/** Why a batch cannot be tried any more, in words for the report; null when it can. */
async function findObstacle(entry: BatchView, context: RunContext): Promise<string | null> {
  const view = await context.view();
  const missing = entry.batch.dependsOn.find((id) =>
    view.batches.some((other) => other.batch.id === id && other.status !== 'kept'),
  );
  if (missing !== undefined) return `it depends on ${missing}, which was not kept`;
  const stopped = view.batches.find((other) => other.status === 'failed');
  if (stopped !== undefined && context.options.onBatchFailure === 'stop')
    return `the run stops at the first failure (${stopped.batch.id})`;
  const spentMs = timeAtWork(view, context.ports.clock.now().toISOString());
  return spentMs > context.options.limits.runMs ? 'the time of the run is spent' : null;
}

async function skipBatch(entry: BatchView, reason: string, context: RunContext): Promise<void> {
  await context.steps.run(`batch/${entry.batch.id}/skip`, async () => ({
    output: null,
    events: [{ type: 'batch-skipped', batch: entry.batch.id, reason }],
  }));
}

/** The full verifier after every few kept batches, so that a culprit is near when it fails. */
async function verifyEveryFew(context: RunContext): Promise<void> {
  const view = await context.view();
  const kept = standingCheckpoints(view);
  const head = kept.at(-1);
  if (head === undefined || kept.length % context.options.runFullVerifierEvery !== 0) return;
  if (view.fullVerifications.some((event) => event.passed && event.tree === head.tree)) return;
  await verifyBranch(context);
}
