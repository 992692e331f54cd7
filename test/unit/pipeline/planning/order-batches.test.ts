import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPERATIONS, type Batch, type Operation } from '../../../../src/domain/plan.ts';
import { orderBatches } from '../../../../src/pipeline/planning/order-batches.ts';

type Draft = Parameters<typeof orderBatches>[0][number];

function draft(goal: string, change: Partial<Batch> & { readonly weight?: number } = {}): Draft {
  const { weight = 1, ...rest } = change;
  return {
    goal,
    scope: [],
    operations: ['rename'],
    diffBudgetLines: 30,
    risk: 1,
    verifier: 'fast',
    findings: [
      { rule: 'unused-import', path: 'a.ts', symbols: [], figure: 'unusedImports', measured: 1, threshold: 0, weight },
    ],
    improves: [],
    recipe: null,
    ...rest,
  };
}

const goals = (...drafts: readonly Draft[]) => orderBatches(drafts).map((entry) => entry.goal);

describe('orderBatches', () => {
  it('goes by the riskiest operation of a batch first', () => {
    expect(
      goals(
        draft('both', { operations: ['format', 'transform'] }),
        draft('move', { operations: ['move'], weight: 50 }),
        draft('format', { operations: ['format'] }),
      ),
    ).toEqual(['format', 'move', 'both']);
  });

  it('goes by payoff within a level, then by goal', () => {
    expect(
      goals(draft('b'), draft('a'), draft('heavy', { weight: 9 }), draft('large', { diffBudgetLines: 900, weight: 1 })),
    ).toEqual(['heavy', 'a', 'b', 'large']);
  });

  it('gives one order for all orders of its input, and leaves that alone', () => {
    const drafts = fc.uniqueArray(
      fc.record({
        goal: fc.string(),
        operation: fc.constantFrom<Operation>(...OPERATIONS),
        weight: fc.constantFrom(1, 2, 3),
      }),
      { selector: (entry) => entry.goal, maxLength: 8 },
    );
    fc.assert(
      fc.property(drafts, fc.infiniteStream(fc.nat()), (entries, random) => {
        const made = entries.map(({ goal, operation, weight }) => draft(goal, { operations: [operation], weight }));
        const shuffled = made
          .map((entry) => ({ entry, key: random.next().value as number }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ entry }) => entry);
        const before = [...shuffled];
        expect(orderBatches(shuffled)).toEqual(orderBatches(made));
        expect(shuffled).toEqual(before);
      }),
    );
  });
});
