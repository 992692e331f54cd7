import type { DetectRequest, Detection } from '../operations/operations.ts';
import type { Finding } from '../domain/finding.ts';
import type { LedgerEvent } from '../domain/ledger.ts';
import type { MechanicalOperation, Plan } from '../domain/plan.ts';
import type { RunContext } from './run-context.ts';
import { draftPlan } from './planning/draft-plan.ts';
import { findRefactorings } from './planning/find-refactorings.ts';
import { indexTree } from './measure-tree.ts';

/** Measures the base tree. */
export async function indexRepository(context: RunContext): Promise<void> {
  await context.steps.run('index', async () => {
    const { index, findings } = await findAtBase(context);
    return {
      output: null,
      events: [
        { type: 'indexed', figures: index.figures, files: index.files.length, findings: findings.length },
        { type: 'state-entered', state: 'planning' },
      ],
    };
  });
}

/** Findings → what the operations can do about them → a plan bound to its hash, and whether it waits for a person. */
export async function planBatches(context: RunContext): Promise<void> {
  await context.steps.run('plan', async (signal) => {
    const { findings } = await findAtBase(context);
    const detection = await detect(findings, context, signal);
    const busyFiles = new Set(await context.ports.pullRequests.filesInOpenPullRequests(context.request.repository));
    const plan = draftPlan({
      baseCommit: context.baseCommit,
      request: context.request.request,
      findings,
      detection,
      options: context.options,
      busyFiles,
    });
    return { output: null, events: [{ type: 'planned', plan }, ...whatFollows(plan, context)] };
  });
}

async function findAtBase(context: RunContext) {
  const index = await indexTree(context.baseTree, context);
  return { index, findings: findRefactorings(index, context.options, context.request.request) };
}

async function detect(findings: readonly Finding[], context: RunContext, signal: AbortSignal): Promise<Detection> {
  const filesOf = (rule: Finding['rule']) =>
    findings.filter((finding) => finding.rule === rule).map((finding) => finding.path);
  const files: DetectRequest['files'] = {
    'remove-unused-imports': filesOf('unused-import'),
    'remove-unused-declarations': filesOf('unused-declaration'),
    'split-types': filesOf('file-too-long'),
  };
  const operations = context.options.operations.filter((name: MechanicalOperation) => files[name].length > 0);
  if (operations.length === 0) return { engine: '', candidates: [], declined: [] };
  const environment = await context.checkout(context.baseTree);
  return context.ports.operations.detect(
    { operations, files, limits: { fileLines: context.options.limits.fileLines } },
    { workspace: context.workspace, environment, wallMs: context.options.limits.checkMs },
    signal,
  );
}

function whatFollows(plan: Plan, context: RunContext): LedgerEvent[] {
  if (plan.batches.length === 0) {
    const message =
      plan.leftOut.length === 0
        ? 'Nothing to do: nothing measured is beyond its limit.'
        : `Nothing to do mechanically: ${plan.leftOut.length} findings are left, each with its reason below.`;
    return [
      { type: 'completed', why: 'nothing-to-do', message },
      { type: 'state-entered', state: 'completed' },
    ];
  }
  const waits = context.request.trigger === 'plan-command' || context.options.approval === 'required';
  return [{ type: 'state-entered', state: waits ? 'awaiting_approval' : 'executing' }];
}
