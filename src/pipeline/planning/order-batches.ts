import { OPERATIONS, type Batch } from '../../domain/plan.ts';

type Draft = Omit<Batch, 'id' | 'dependsOn'>;

/** By risk of the operation, then by payoff (weight of what it answers) per changed line; ties by goal, so the order is stable. */
export function orderBatches(drafts: readonly Draft[]): Draft[] {
  return [...drafts].toSorted((a, b) => level(a) - level(b) || payoff(b) - payoff(a) || (a.goal < b.goal ? -1 : 1));
}

function level(draft: Draft): number {
  return Math.max(...draft.operations.map((operation) => OPERATIONS.indexOf(operation)));
}

function payoff(draft: Draft): number {
  const weight = draft.findings.reduce((total, finding) => total + finding.weight, 0);
  return weight / Math.log2(2 + draft.diffBudgetLines);
}
