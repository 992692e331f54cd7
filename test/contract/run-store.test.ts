import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRun } from '../../src/database/project-run.ts';
import type { DeliveryRow } from '../../src/database/run-store.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';
import type { LedgerEvent } from '../../src/domain/ledger.ts';
import { mayFollow, RUN_STATES, type RunState } from '../../src/domain/run.ts';
import { postgresPrograms } from '../support/postgres.ts';
import { APPROVAL, entered, openToyEngine, requestFor, type OpenedEngine } from '../support/toy-engine.ts';

const KINDS = postgresPrograms === null ? (['pglite'] as const) : (['pglite', 'postgres'] as const);
const TO_APPROVAL = entered('baseline', 'indexing', 'planning', 'awaiting_approval');

describe.each(KINDS)('the run store on %s', (kind) => {
  let engine: OpenedEngine;
  beforeAll(async () => {
    engine = await openToyEngine(kind);
  });
  afterAll(() => engine.close());

  const start = async (name: string, issueNumber = 1) => {
    const request = requestFor(name, issueNumber, engine.clock);
    expect(await engine.store.createRun(request)).toBe(true);
    return request;
  };
  const stateOf = async (run: ReturnType<typeof requestFor>) => (await engine.store.load(run.id))?.state;

  test('stores a delivery once, with what a text column or jsonb would not take', async () => {
    const row: DeliveryRow = {
      id: 'not-a-guid' as DeliveryId,
      event: 'issues',
      payload: { z: 1, a: 'NUL \u0000 and half a pair \ud800', list: [null, true] },
      receivedAt: '2026-11-22T01:02:03.004Z',
    };
    expect(await engine.store.acceptDelivery(row)).toBe(true);
    expect(await engine.store.acceptDelivery({ ...row, event: 'other' })).toBe(false);
    expect(await engine.store.getDelivery(row.id)).toEqual(row);
    expect(Object.keys((await engine.store.getDelivery(row.id))?.payload as object)).toEqual(['z', 'a', 'list']);
    expect(await engine.store.getDelivery('unknown' as DeliveryId)).toBeNull();
  });

  test('forgets the payload of a delivery that is settled, and still knows it', async () => {
    const row: DeliveryRow = {
      id: 'settled' as DeliveryId,
      event: 'issue_comment.created',
      payload: { comment: 'private words' },
      receivedAt: '2026-11-22T01:02:03.004Z',
    };
    await engine.store.acceptDelivery(row);
    await engine.store.settleDelivery(row.id, { handledAs: 'ignored: no command', error: null });
    expect(await engine.store.getDelivery(row.id)).toEqual({ ...row, payload: null });
    expect(await engine.store.acceptDelivery(row)).toBe(false);
  });

  test('keeps large outputs by their content', async () => {
    const text = 'output\u0000 é 𝄞\n'.repeat(10_000);
    const hash = await engine.store.putContent(text);
    expect(await engine.store.putContent(text)).toBe(hash);
    expect(await engine.store.getContent(hash)).toBe(text);
    expect(await engine.store.getContent('0'.repeat(64))).toBeNull();
  });

  test('records a run once and lets the first of a repository begin', async () => {
    const first = await start('first');
    expect(await engine.store.createRun(first)).toBe(false);
    const second = await start('first', 2);
    expect(await stateOf(first)).toBe('preparing');
    expect(await stateOf(second)).toBe('queued');
    const runs = await engine.store.runsOf('acme/first');
    expect(runs.map((run) => run.id)).toEqual([second.id, first.id]);
    expect(await engine.store.runOfBranch('acme/first', `refactor-bot/${second.id}`)).toEqual(runs[0]);
    expect(await engine.store.runOfBranch('acme/first', 'main')).toBeNull();
  });

  test('gives the slot on when a run waits, and back to an approved one in the order of time', async () => {
    const [first, second, third] = [await start('slot', 1), await start('slot', 2), await start('slot', 3)];
    await engine.store.append(first.id, TO_APPROVAL);
    expect([await stateOf(second), await stateOf(third)]).toEqual(['preparing', 'queued']);
    await engine.store.append(first.id, [APPROVAL]);
    expect(await stateOf(first)).toBe('awaiting_approval');
    await engine.store.append(second.id, entered('failed'));
    expect([await stateOf(first), await stateOf(third)]).toEqual(['awaiting_approval', 'preparing']);
    await engine.store.append(third.id, entered('failed'));
    expect(await stateOf(first)).toBe('executing');
  });

  test('answers the run as it is after its approval found the repository free', async () => {
    const run = await start('approved');
    await engine.store.append(run.id, TO_APPROVAL);
    const view = await engine.store.decide(run.id, () => ({ events: [APPROVAL] }));
    expect(view.state).toBe('executing');
  });

  test('a newer plan takes the place of one that nobody approved, and of no other', async () => {
    const [waiting, approved] = [await start('newer', 1), await start('newer', 2)];
    await engine.store.append(waiting.id, TO_APPROVAL);
    await engine.store.append(approved.id, TO_APPROVAL);
    expect((await engine.store.load(waiting.id))?.ending).toEqual({
      type: 'cancelled',
      by: `superseded by ${approved.id}`,
    });
    const blocker = await start('newer', 3);
    await engine.store.append(approved.id, [APPROVAL]);
    await engine.store.append(blocker.id, TO_APPROVAL);
    expect(await stateOf(approved)).toBe('executing');
    expect(await stateOf(blocker)).toBe('awaiting_approval');
  });

  test('the database itself refuses a second active run', async () => {
    await start('index', 1);
    const second = await start('index', 2);
    await expect(engine.store.append(second.id, entered('preparing'))).rejects.toThrow(/run_one_active_per_repository/);
    expect(await stateOf(second)).toBe('queued');
  });

  test('writes nothing of an append that no run can have written', async () => {
    const run = await start('impossible');
    const before = await engine.store.ledger(run.id);
    await expect(engine.store.append(run.id, entered('baseline', 'accepted'))).rejects.toThrow(/cannot go from/);
    expect(await engine.store.ledger(run.id)).toEqual(before);
  });

  test('serialises decisions about one run', async () => {
    const run = await start('decide');
    const decide = () =>
      engine.store.decide(run.id, (view) => (view.state === 'preparing' ? { events: entered('baseline') } : null));
    const views = await Promise.all([decide(), decide(), decide()]);
    expect(views.map((view) => view.state)).toEqual(['baseline', 'baseline', 'baseline']);
    expect(await engine.store.ledger(run.id)).toHaveLength(3);
  });

  test('cancels a waiting run at once and asks the worker of a running one', async () => {
    const [running, queued] = [await start('cancel', 1), await start('cancel', 2)];
    await engine.store.requestCancel(queued.id, 'somebody');
    expect(await stateOf(queued)).toBe('cancelled');
    await engine.store.requestCancel(running.id, 'somebody');
    await engine.store.requestCancel(running.id, 'somebody else');
    expect(await engine.store.cancelRequestedBy(running.id)).toBe('somebody');
    expect(await stateOf(running)).toBe('preparing');
  });

  test('refuses the writes of a worker whose run was claimed by another', async () => {
    const run = await start('fence');
    const [old, current] = [
      { id: '00000000-0000-4000-8000-000000000001', attempt: 0 },
      { id: '00000000-0000-4000-8000-000000000001', attempt: 1 },
    ];
    const step = { name: 'prepare', output: { n: 1 }, events: entered('baseline') };
    await engine.engineStore.claim(run.id, old, () => true);
    await engine.engineStore.claim(run.id, current, () => true);
    expect(await engine.engineStore.recordStep(run.id, old, step)).toBe(false);
    expect(await stateOf(run)).toBe('preparing');
    expect(await engine.engineStore.readStep(run.id, 'prepare')).toBeNull();
    expect(await engine.engineStore.recordStep(run.id, current, step)).toBe(true);
    expect(await engine.engineStore.readStep(run.id, 'prepare')).toEqual({ output: { n: 1 } });
    expect(await engine.engineStore.release(run.id, old, () => ({ events: [], intents: [], again: null }))).toBe(false);
  });

  test('RUN: whatever is appended, the run row is the fold of its ledger', async () => {
    let issue = 0;
    const events = fc.array(fc.oneof(fc.constantFrom(...RUN_STATES), fc.constantFrom('approved', 'pull-request')), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(events, async (wanted) => {
        const run = await start(`fold-${(issue += 1)}`);
        for (const kind of wanted) {
          const state = (await stateOf(run)) ?? 'queued';
          await engine.store.append(run.id, eventsFor(kind, state));
        }
        await expectFold(engine, run.id);
      }),
      { numRuns: kind === 'postgres' ? 30 : 15 },
    );
  });
});

function eventsFor(kind: RunState | 'approved' | 'pull-request', state: RunState): readonly LedgerEvent[] {
  if (kind === 'approved') return [APPROVAL];
  if (kind === 'pull-request') return [{ type: 'pull-request-opened', number: 12, url: 'https://github.example/12' }];
  return mayFollow(state, kind) ? entered(kind) : [];
}

async function expectFold(engine: OpenedEngine, run: string): Promise<void> {
  const rows = await engine.database.kysely.selectFrom('run').selectAll().where('id', '=', run).execute();
  const records = await engine.store.ledger(run as never);
  expect(rows[0]).toMatchObject(projectRun(records).row);
  expect(records.map((record) => record.seq)).toEqual(records.map((_, index) => index + 1));
}
