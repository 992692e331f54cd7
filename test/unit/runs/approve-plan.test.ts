import { beforeEach, expect, test } from 'vitest';

import type { DeliveryId, PlanHash } from '../../../src/domain/ids.ts';
import { approvePlan } from '../../../src/runs/approve-plan.ts';
import { cancelledBy } from '../../../src/domain/endings.ts';
import { createMemoryRunStore, type MemoryRunStore } from '../../support/memory-run-store.ts';
import { runIn, samplePlan, samplePlanHash, sampleRepository } from '../../support/sample-run.ts';

const place = { repository: sampleRepository, issueNumber: 12 };
const approval = { by: 'maintainer', planHash: samplePlanHash, only: null };
let store: MemoryRunStore;

beforeEach(() => {
  store = createMemoryRunStore();
});

test('records who approved what, and answers the same when it is handled again', async () => {
  const run = await runIn(store, 'awaiting_approval');
  const first = await approvePlan(store, place, approval);
  const again = await approvePlan(store, place, approval);
  expect(first).toEqual({ kind: 'approved', run, batches: 3 });
  expect(again).toEqual(first);
  const approvals = (await store.ledger(run)).filter(({ event }) => event.type === 'approved');
  expect(approvals.map(({ event }) => event)).toEqual([{ type: 'approved', ...approval }]);
});

test('a second person is told that it was approved before', async () => {
  const run = await runIn(store, 'awaiting_approval');
  await approvePlan(store, place, approval);
  await expect(approvePlan(store, place, { ...approval, by: 'other' })).resolves.toEqual({
    kind: 'already-approved',
    run,
    by: 'maintainer',
  });
});

test('another hash approves nothing and learns the right one', async () => {
  const run = await runIn(store, 'awaiting_approval');
  const wrong = { ...approval, planHash: 'ffffffffff' as PlanHash };
  await expect(approvePlan(store, place, wrong)).resolves.toEqual({
    kind: 'other-plan',
    current: samplePlanHash,
    superseded: false,
  });
  expect((await store.load(run))?.approval).toBeNull();
});

test('the hash of a superseded plan is called that', async () => {
  const old = 'aaaaaaaaaa' as PlanHash;
  const superseded = await runIn(store, 'awaiting_approval', { plan: samplePlan(1, [], old) });
  await store.append(superseded, cancelledBy('superseded'));
  await runIn(store, 'awaiting_approval', { request: { delivery: 'd-2' as DeliveryId } });
  await expect(approvePlan(store, place, { ...approval, planHash: old })).resolves.toMatchObject({
    kind: 'other-plan',
    superseded: true,
  });
});

test('a choice must name batches that exist and what they build on', async () => {
  await runIn(store, 'awaiting_approval', { plan: samplePlan(3, [3]) });
  await expect(approvePlan(store, place, { ...approval, only: [2, 4, 9] })).resolves.toEqual({
    kind: 'no-such-batch',
    ordinals: [4, 9],
    batches: 3,
  });
  await expect(approvePlan(store, place, { ...approval, only: [1, 3] })).resolves.toEqual({
    kind: 'depends-on',
    missing: [2],
  });
  await expect(approvePlan(store, place, { ...approval, only: [2, 3] })).resolves.toMatchObject({
    kind: 'approved',
    batches: 2,
  });
});

test('without a waiting plan there is nothing to approve', async () => {
  await expect(approvePlan(store, place, approval)).resolves.toEqual({ kind: 'nothing-to-approve', last: null });
  const run = await runIn(store, 'planning');
  await expect(approvePlan(store, place, approval)).resolves.toEqual({
    kind: 'not-planned-yet',
    run,
    state: 'planning',
  });
  await store.append(run, cancelledBy('maintainer'));
  await expect(approvePlan(store, place, approval)).resolves.toEqual({
    kind: 'nothing-to-approve',
    last: { run, state: 'cancelled' },
  });
});

test('a plan of another issue is not approved from here', async () => {
  await runIn(store, 'awaiting_approval', { request: { issueNumber: 99 } });
  await expect(approvePlan(store, place, approval)).resolves.toEqual({ kind: 'nothing-to-approve', last: null });
});
