import type { Agent, AgentOutput, ProposalRequest } from './agent.ts';
import type { Application, Operations } from '../operations/operations.ts';
import type { Recipe } from '../domain/plan.ts';

/** Declines that mean "it is done already" rather than "it cannot be done". */
const NOTHING_TO_DO: ReadonlySet<string> = new Set(['no-change', 'too-little-to-move']);

/** Answers batches that carry a recipe by replaying it: no key, no network, no judgement. */
export function createMechanicalAgent(options: { readonly operations: Operations }): Agent {
  return {
    name: 'mechanical',
    async propose(request, signal) {
      const { recipe } = request.batch;
      if (recipe === null) {
        return { kind: 'blocked', reason: 'This batch needs judgement: no mechanical operation fits.' };
      }
      const { workspace, environment } = request;
      const context = { workspace, environment, wallMs: request.options.limits.checkMs };
      return toOutput(request, recipe, await options.operations.apply(recipe, context, signal));
    },
  };
}

function toOutput(request: ProposalRequest, recipe: Recipe, application: Application): AgentOutput {
  if (application.kind === 'declined') {
    const { reason, detail, path } = application.declined;
    return { kind: NOTHING_TO_DO.has(reason) ? 'noop' : 'blocked', reason: `${reason}: ${path}: ${detail}` };
  }
  const { diff, touchedFiles, proofs } = application;
  return {
    kind: 'patch',
    patch: {
      batch: request.batch.id,
      author: 'mechanical',
      diff,
      rationale: rationale(request, proofs.length),
      riskNotes: [],
      touchedFiles,
      proofs,
      recipe,
    },
  };
}

function rationale(request: ProposalRequest, proofs: number): string {
  const goal = request.batch.goal.slice(0, 1).toUpperCase() + request.batch.goal.slice(1);
  const reasons = request.batch.findings.map(
    (finding) => `${finding.path} ${finding.rule} ${finding.measured}/${finding.threshold}`,
  );
  const because = reasons.length === 0 ? '' : ` Measured against its limit: ${reasons.slice(0, 5).join(', ')}.`;
  return `${goal}.${because} ${proofs} ${proofs === 1 ? 'proof holds' : 'proofs hold'}.`;
}
