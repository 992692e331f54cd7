import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerEvent, LedgerRecord } from '../../../src/domain/ledger.ts';
import { FIGURE_NAMES, type Figures } from '../../../src/domain/figures.ts';
import { batchIdFor, runIdFor, toCommitId, toTreeId } from '../../../src/domain/ids.ts';
import {
  foldRun,
  headCommit,
  isLive,
  pushedCommit,
  standingCheckpoints,
  timeAtWork,
} from '../../../src/domain/run-view.ts';
import { hasEnded, mayFollow, RUN_STATES, type RunRequest, type RunState } from '../../../src/domain/run.ts';
import { samplePlan, sampleRepository } from '../../support/sample-run.ts';

const START = Date.parse('2026-11-22T01:00:00.000Z');
const figures = Object.fromEntries(FIGURE_NAMES.map((name) => [name, 0])) as unknown as Figures;
const base = toCommitId('a'.repeat(40));
const commit = (digit: string) => toCommitId(digit.repeat(40));

const request: RunRequest = {
  id: runIdFor('delivery', new Date(START)),
  repository: sampleRepository,
  trigger: 'label',
  issueNumber: 1,
  requestedBy: 'maintainer',
  request: '',
  commentId: null,
  requestedAt: new Date(START).toISOString(),
};

/** One event a minute, the request first. */
function ledger(...events: readonly LedgerEvent[]): LedgerRecord[] {
  return [{ type: 'run-requested', request } as const, ...events].map((event, index) => ({
    seq: index + 1,
    version: 1,
    at: new Date(START + index * 60_000).toISOString(),
    event,
  }));
}

const enter = (...states: readonly RunState[]): LedgerEvent[] =>
  states.map((state) => ({ type: 'state-entered', state }));
const kept = (ordinal: number, digit: string): LedgerEvent => ({
  type: 'batch-kept',
  checkpoint: {
    batch: batchIdFor(ordinal),
    commit: commit(digit),
    tree: toTreeId(digit.repeat(40)),
    attempt: 1,
    stat: { files: 1, added: 1, removed: 1 },
    proofs: [],
    figuresBefore: figures,
    figuresAfter: figures,
  },
  checks: [],
});
const prepared: LedgerEvent = { type: 'prepared', baseCommit: base, branch: 'refactor-bot/x', backupBytes: 1 };
const planned: LedgerEvent = { type: 'planned', plan: samplePlan(3) };

describe('a ledger', () => {
  const walks = fc.infiniteStream(fc.nat()).map((random) => {
    const states: RunState[] = [];
    let at: RunState = 'queued';
    for (;;) {
      const next = RUN_STATES.filter((state) => mayFollow(at, state));
      const picked = next[(random.next().value as number) % Math.max(1, next.length)];
      if (picked === undefined || states.length > 20) return states;
      states.push(picked);
      at = picked;
    }
  });

  it('folds for every walk through the states, and ends where the walk ends', () => {
    fc.assert(
      fc.property(walks, (states) => {
        const view = foldRun(ledger(...enter(...states)));
        expect(view.state).toBe(states.at(-1) ?? 'queued');
        expect(isLive(view)).toBe(!hasEnded(view.state));
        expect(timeAtWork(view, view.lastEventAt)).toBeLessThanOrEqual(states.length * 60_000);
      }),
    );
  });

  it('is refused at a step that the table does not have', () => {
    fc.assert(
      fc.property(walks, fc.constantFrom(...RUN_STATES), fc.nat(20), (states, other, at) => {
        const before = states.slice(0, at);
        fc.pre(!mayFollow(before.at(-1) ?? 'queued', other));
        expect(() => foldRun(ledger(...enter(...before, other)))).toThrow(
          expect.objectContaining({ code: 'invariant-broken' }),
        );
      }),
    );
  });

  it.each<[string, LedgerRecord[]]>([
    ['without its request', ledger().slice(1)],
    ['that begins with something else', ledger(...enter('preparing')).slice(1)],
    ['with two requests', [...ledger(), ...ledger()]],
  ])('is refused %s', (_, records) => {
    expect(() => foldRun(records)).toThrow(expect.objectContaining({ code: 'invariant-broken' }));
  });
});

describe('batches', () => {
  const run = (...events: readonly LedgerEvent[]) => foldRun(ledger(prepared, planned, ...events));

  it('are left alone when they are not in the approval', () => {
    const view = run({ type: 'approved', by: 'm', planHash: samplePlan(3).hash, only: [1, 3] });
    expect(view.batches.map((entry) => entry.status)).toEqual(['planned', 'not-approved', 'planned']);
  });

  it('collect the failures of their attempts in order', () => {
    const failure = (attempt: number): LedgerEvent => ({
      type: 'attempt-failed',
      batch: batchIdFor(2),
      attempt,
      failure: { stage: 'verify', reasons: [`no ${attempt}`] },
    });
    const view = run(failure(1), failure(2), {
      type: 'batch-failed',
      batch: batchIdFor(2),
      attempts: 2,
      reason: 'spent',
    });
    expect(view.batches[1]).toMatchObject({
      status: 'failed',
      reason: 'spent',
      failures: [{ attempt: 1 }, { attempt: 2 }],
    });
    expect(view.batches[0]).toMatchObject({ status: 'planned', failures: [] });
  });

  it.each([
    ['batch-skipped', 'skipped'],
    ['batch-noop', 'noop'],
  ] as const)('end by %s', (type, status) => {
    expect(run({ type, batch: batchIdFor(1), reason: 'so' }).batches[0]).toMatchObject({ status, reason: 'so' });
  });

  it('move the head: base, checkpoints, rebuilt ones, and back to the base', () => {
    const dropped = (...ordinals: number[]): LedgerEvent => ({
      type: 'batches-dropped',
      batches: ordinals.map(batchIdFor),
      reason: 'red',
    });
    const heads = (...events: readonly LedgerEvent[]) => {
      const view = run(...events);
      return [headCommit(view), pushedCommit(view)];
    };
    expect([headCommit(foldRun(ledger())), pushedCommit(foldRun(ledger()))]).toEqual([null, null]);
    expect(heads()).toEqual([base, null]);
    expect(heads(kept(1, 'b'), kept(2, 'c'))).toEqual([commit('c'), commit('c')]);
    expect(heads(kept(1, 'b'), kept(2, 'c'), dropped(1), kept(2, 'd'))).toEqual([commit('d'), commit('d')]);
    expect(heads(kept(1, 'b'), dropped(1))).toEqual([base, base]);
    expect(standingCheckpoints(run(kept(1, 'b'), kept(3, 'd'), dropped(1)))).toMatchObject([{ commit: commit('d') }]);
  });
});

describe('time at work', () => {
  const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString();

  it('counts from preparing on, and while it lasts', () => {
    const view = foldRun(ledger(prepared, ...enter('preparing', 'baseline')));
    expect(timeAtWork(view, at(12))).toBe(10 * 60_000);
  });

  it('does not count a wait for approval, however long', () => {
    const waiting = enter('preparing', 'baseline', 'indexing', 'planning', 'awaiting_approval');
    const view = foldRun(ledger(...waiting));
    expect(timeAtWork(view, at(9999))).toBe(4 * 60_000);
    const resumed = foldRun([
      ...ledger(...waiting),
      { seq: 7, version: 1, at: at(5000), event: { type: 'state-entered', state: 'executing' } },
    ]);
    expect(timeAtWork(resumed, at(5003))).toBe(7 * 60_000);
  });

  it('stops at the end of the run', () => {
    expect(timeAtWork(foldRun(ledger(...enter('preparing', 'failed'))), at(500))).toBe(60_000);
  });
});
