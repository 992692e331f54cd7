import type { AgentOutput } from '../agents/agent.ts';
import type { AttemptFailure, LedgerEvent } from '../domain/ledger.ts';
import type { Batch } from '../domain/plan.ts';
import type { BatchView, RunView } from '../domain/run-view.ts';
import type { CommitId } from '../domain/ids.ts';
import type { Figures } from '../domain/figures.ts';
import type { Patch, Review } from '../domain/patch.ts';
import type { RunContext } from './run-context.ts';
import { BotError } from '../domain/errors.ts';
import { checkImprovement } from './gate/check-improvement.ts';
import { commitCheckpoint } from './checkpoint/commit-checkpoint.ts';
import { headCommit, pushedCommit } from '../domain/run-view.ts';
import { measureTree } from './measure-tree.ts';
import { proposePatch } from './proposal/propose-patch.ts';
import { pushToOwnBranch } from './own-branch.ts';
import { reviewPatch } from './gate/review-patch.ts';
import { verifyTree, type Verified } from './verify-tree.ts';

/**
 * One batch, at most `1 + retry_per_batch` attempts, each against the same parent with the evidence of those before. It ends with
 * a checkpoint on the branch, or with nothing changed and the reason recorded.
 */
export async function refactorBatch(batch: Batch, context: RunContext): Promise<void> {
  const attempts = 1 + context.options.retryPerBatch;
  for (;;) {
    const view = await context.view();
    const entry = batchIn(view, batch);
    if (entry.status !== 'planned') return;
    if (entry.failures.length >= attempts) return giveUp(entry, context);
    await tryOnce({ batch, entry, attempt: entry.failures.length + 1, parent: parentOf(view) }, context);
  }
}

interface Attempt {
  readonly batch: Batch;
  readonly entry: BatchView;
  /** Counts from 1. */
  readonly attempt: number;
  readonly parent: CommitId;
}

/** Context → agent → gate → checks → figures → checkpoint. Each step records what it decided; the first refusal ends the attempt. */
async function tryOnce(attempt: Attempt, context: RunContext): Promise<void> {
  const { batch, parent } = attempt;
  const name = `batch/${batch.id}/attempt/${attempt.attempt}`;
  const parentTree = await context.git.treeOf(parent);
  const failed = (stage: AttemptFailure['stage'], reasons: readonly string[]): LedgerEvent => ({
    type: 'attempt-failed',
    batch: batch.id,
    attempt: attempt.attempt,
    failure: { stage, reasons: reasons.slice(0, 20) },
  });

  const proposal = await context.steps.run(`${name}/propose`, async (signal) => {
    const environment = await context.checkout(parentTree);
    const answer = await proposePatch(
      { batch, attempt: attempt.attempt, failures: attempt.entry.failures, tree: parentTree },
      { ...context, environment },
      signal,
    );
    const proposedAt = context.ports.clock.now().toISOString();
    return { output: { answer, proposedAt }, events: eventsOfAnswer(answer, batch, failed) };
  });
  if (proposal.answer.kind !== 'patch') return;
  const { patch } = proposal.answer;

  const review = await context.steps.run(`${name}/review`, async () => {
    const result = await reviewPatch({ patch, batch, options: context.options, base: parentTree, git: context.git });
    return {
      output: result,
      events: result.accepted ? [] : [failed('review', result.rejections.map(describeRejection))],
    };
  });
  if (!review.accepted) return;

  const verified = await context.steps.run(`${name}/verify`, async (signal) => {
    const result = await verifyTree({ tree: review.tree, level: batch.verifier }, context, signal);
    return { output: result, events: result.passed ? [] : [failed('verify', result.reasons)] };
  });
  if (!verified.passed) return;

  const figures = await context.steps.run(`${name}/measure`, async () => {
    const before = await measureTree(parentTree, context);
    const after = await measureTree(review.tree, context);
    const problems = checkImprovement(batch.improves, before, after);
    return {
      output: { before: before.figures, after: after.figures, improved: problems.length === 0 },
      events: problems.length === 0 ? [] : [failed('improve', problems)],
    };
  });
  if (!figures.improved) return;
  await keep({ ...attempt, name, patch, review, verified, figures, proposedAt: proposal.proposedAt }, context);
}

interface Passed extends Attempt {
  readonly name: string;
  readonly patch: Patch;
  readonly review: Extract<Review, { accepted: true }>;
  readonly verified: Verified;
  readonly figures: { readonly before: Figures; readonly after: Figures };
  readonly proposedAt: string;
}

/** Commit and push. The date is the recorded one, so doing it again after a kill gives the same commit and the push does nothing. */
async function keep(passed: Passed, context: RunContext): Promise<void> {
  const { batch, review, figures } = passed;
  const { checks } = passed.verified;
  await context.steps.run(`${passed.name}/checkpoint`, async (signal) => {
    const view = await context.view();
    const request = {
      git: context.git,
      remote: await context.remote(),
      branch: branchOf(view),
      expected: pushedCommit(view),
      parent: passed.parent,
      tree: review.tree,
      stat: review.stat,
      facts: {
        run: context.id,
        batch,
        attempt: passed.attempt,
        files: passed.patch.touchedFiles,
        proofs: passed.patch.proofs,
        checks,
        figuresBefore: figures.before,
        figuresAfter: figures.after,
      },
      committer: context.ports.site.committer,
      date: new Date(passed.proposedAt),
    };
    const checkpoint = await pushToOwnBranch(() => commitCheckpoint(request, signal), view, context.ports);
    return { output: { commit: checkpoint.commit }, events: [{ type: 'batch-kept', checkpoint, checks }] };
  });
}

function eventsOfAnswer(
  answer: AgentOutput,
  batch: Batch,
  failed: (stage: AttemptFailure['stage'], reasons: readonly string[]) => LedgerEvent,
): LedgerEvent[] {
  switch (answer.kind) {
    case 'patch':
      return [];
    case 'noop':
      return [{ type: 'batch-noop', batch: batch.id, reason: answer.reason }];
    case 'blocked':
    case 'failed':
      return [failed('propose', [answer.reason])];
  }
}

async function giveUp(entry: BatchView, context: RunContext): Promise<void> {
  const last = entry.failures.at(-1);
  const attempts = entry.failures.length;
  const reason = `${attempts} of ${attempts} attempts failed; the last at ${last?.failure.stage ?? 'propose'}: ${last?.failure.reasons[0] ?? ''}`;
  await context.steps.run(`batch/${entry.batch.id}/give-up`, async () => ({
    output: null,
    events: [{ type: 'batch-failed', batch: entry.batch.id, attempts, reason }],
  }));
}

function describeRejection(rejection: {
  readonly rule: string;
  readonly path: string | null;
  readonly message: string;
}): string {
  return rejection.path === null
    ? `${rejection.rule}: ${rejection.message}`
    : `${rejection.rule} (${rejection.path}): ${rejection.message}`;
}

function batchIn(view: RunView, batch: Batch): BatchView {
  const entry = view.batches.find((candidate) => candidate.batch.id === batch.id);
  if (entry === undefined)
    throw new BotError('invariant-broken', `The batch ${batch.id} is not in the plan of run ${view.id}.`);
  return entry;
}

function parentOf(view: RunView): CommitId {
  const head = headCommit(view);
  if (head === null) throw new BotError('invariant-broken', `Run ${view.id} executes before it was prepared.`);
  return head;
}

function branchOf(view: RunView): string {
  if (view.branch === null) throw new BotError('invariant-broken', `Run ${view.id} has no work branch.`);
  return view.branch;
}
