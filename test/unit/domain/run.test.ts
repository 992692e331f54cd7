import { describe, expect, it } from 'vitest';
import { hasEnded, isActive, mayFollow, RUN_STATES, type RunState } from '../../../src/domain/run.ts';

/** The table of product.md, written down once more on purpose. */
const ALLOWED: Record<RunState, readonly RunState[]> = {
  queued: ['preparing', 'failed', 'cancelled'],
  preparing: ['baseline', 'failed', 'cancelled'],
  baseline: ['indexing', 'completed', 'failed', 'cancelled'],
  indexing: ['planning', 'completed', 'failed', 'cancelled'],
  planning: ['awaiting_approval', 'executing', 'completed', 'failed', 'cancelled'],
  awaiting_approval: ['executing', 'failed', 'cancelled'],
  executing: ['finalizing', 'failed', 'cancelled'],
  finalizing: ['in_review', 'completed', 'failed', 'cancelled'],
  in_review: ['accepted', 'rejected', 'failed', 'cancelled'],
  accepted: [],
  rejected: [],
  completed: [],
  failed: [],
  cancelled: [],
};

describe('transitions', () => {
  const pairs = RUN_STATES.flatMap((from) => RUN_STATES.map((to) => [from, to] as const));

  it.each(pairs)('%s → %s', (from, to) => {
    expect(mayFollow(from, to)).toBe(ALLOWED[from].includes(to));
  });
});

it('a state is waiting, active or ended, and one of them alone', () => {
  const waiting = ['queued', 'awaiting_approval', 'in_review'];
  const ended = ['accepted', 'rejected', 'completed', 'failed', 'cancelled'];
  expect(RUN_STATES.filter(hasEnded)).toEqual(ended);
  expect(RUN_STATES.filter(isActive)).toEqual(RUN_STATES.filter((state) => ![...waiting, ...ended].includes(state)));
});
