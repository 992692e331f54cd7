import { OPERATIONS, type Batch } from '../../domain/plan.ts';

type Draft = Omit<Batch, 'id' | 'dependsOn'>;

/** By risk of the operation, then by payoff (weight of what it answers) per changed line; ties by goal, so the order is stable. */
export function orderBatches(drafts: readonly Draft[]): Draft[] {
  return [...drafts].toSorted((a, b) => level(a) - level(b) || payoff(b) - payoff(a) || compare(a.goal, b.goal));
}

function level(draft: Draft): number {
  return Math.max(...draft.operations.map((operation) => OPERATIONS.indexOf(operation)));
}

function payoff(draft: Draft): number {
  const weight = draft.findings.reduce((total, finding) => total + finding.weight, 0);
  return weight / Math.log2(2 + draft.diffBudgetLines);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
