import { beforeEach, expect, test } from 'vitest';

import type { DeliveryId } from '../../../src/domain/ids.ts';
import { acceptRun } from '../../../src/runs/accept-run.ts';
import { cancelRun } from '../../../src/runs/cancel-run.ts';
import { rejectRun } from '../../../src/runs/reject-run.ts';
import { startRun } from '../../../src/runs/start-run.ts';
import { createMemoryRunStore, type MemoryRunStore } from '../../support/memory-run-store.ts';
import { runIn, sampleRepository, sampleRequest } from '../../support/sample-run.ts';

const place = { repository: sampleRepository, issueNumber: 12 };
const second = { delivery: 'd-2' as DeliveryId };
let store: MemoryRunStore;

beforeEach(() => {
  store = createMemoryRunStore();
});

test('a delivery that is handled twice starts one run', async () => {
  const first = await startRun(store, sampleRequest());
  expect(first).toEqual({ kind: 'started', run: expect.objectContaining({ state: 'queued' }), behind: null });
  const again = await startRun(store, sampleRequest());
  expect(again).toMatchObject({ kind: 'started', run: { id: first.run.id } });
  expect(await store.runsOf('acme/render')).toHaveLength(1);
});

test('an issue whose run is under way starts no second one', async () => {
  const run = await runIn(store, 'executing');
  const result = await startRun(store, sampleRequest(second));
  expect(result).toMatchObject({ kind: 'already-running', run: { id: run, state: 'executing' } });
});

test('another issue of the repository queues behind the active run', async () => {
  const run = await runIn(store, 'executing');
  const result = await startRun(store, sampleRequest({ ...second, issueNumber: 13 }));
  expect(result).toMatchObject({ kind: 'started', behind: { id: run } });
});

test.each(['awaiting_approval', 'in_review'] as const)('a run that is %s does not stand in the way', async (state) => {
  await runIn(store, state);
  await expect(startRun(store, sampleRequest(second))).resolves.toMatchObject({ kind: 'started', behind: null });
});

test.each(['queued', 'awaiting_approval'] as const)('a run that is %s is cancelled at once', async (state) => {
  const run = await runIn(store, state);
  await expect(cancelRun(store, place, 'maintainer')).resolves.toEqual({ kind: 'cancelled', run });
  expect((await store.load(run))?.state).toBe('cancelled');
  expect(store.intents).toEqual([{ kind: 'settle-run', run }]);
  await expect(cancelRun(store, place, 'maintainer')).resolves.toEqual({ kind: 'cancelled', run });
  expect(store.intents).toHaveLength(1);
});

test('a run at work is stopped through its worker', async () => {
  const run = await runIn(store, 'executing');
  await expect(cancelRun(store, place, 'maintainer')).resolves.toEqual({ kind: 'stopping', run, state: 'executing' });
  expect(await store.cancelRequestedBy(run)).toBe('maintainer');
  expect((await store.load(run))?.state).toBe('executing');
});

test('a run in review is rejected by closing its pull request, from the issue as from there', async () => {
  const run = await runIn(store, 'in_review', { pullRequest: 40 });
  const expected = { kind: 'in-review', run, pullRequest: 40 };
  await expect(cancelRun(store, place, 'maintainer')).resolves.toEqual(expected);
  await expect(cancelRun(store, { ...place, issueNumber: 40 }, 'maintainer')).resolves.toEqual(expected);
});

test('there may be nothing to cancel', async () => {
  await expect(cancelRun(store, place, 'maintainer')).resolves.toEqual({ kind: 'nothing-to-cancel' });
});

test('a merge accepts and a close rejects, once', async () => {
  const merged = await runIn(store, 'in_review');
  const merge = { by: 'maintainer', mergeCommit: 'b'.repeat(40) };
  await expect(acceptRun(store, merged, merge)).resolves.toBe(true);
  await expect(acceptRun(store, merged, merge)).resolves.toBe(true);
  await expect(rejectRun(store, merged, { by: 'maintainer', words: '' })).resolves.toBe(false);
  expect((await store.load(merged))?.ending).toEqual({ type: 'accepted', ...merge });
  expect(store.intents).toEqual([{ kind: 'settle-run', run: merged }]);

  const closed = await runIn(store, 'in_review', { request: second });
  await expect(rejectRun(store, closed, { by: 'maintainer', words: '' })).resolves.toBe(true);
  expect((await store.load(closed))?.state).toBe('rejected');
});

test('a run that is not in review is neither accepted nor rejected', async () => {
  const run = await runIn(store, 'executing');
  await expect(acceptRun(store, run, { by: 'maintainer', mergeCommit: null })).resolves.toBe(false);
  expect((await store.load(run))?.state).toBe('executing');
});
