import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DeliveryId, RunId } from '../../src/domain/ids.ts';
import { BotError } from '../../src/domain/errors.ts';
import { startWorker, type Worker, type WorkerOptions } from '../../src/engine/worker.ts';
import { postgresPrograms } from '../support/postgres.ts';
import {
  APPROVAL,
  entered,
  openToyEngine,
  requestFor,
  silentLogger,
  type OpenedEngine,
} from '../support/toy-engine.ts';

const KINDS = postgresPrograms === null ? (['pglite'] as const) : (['pglite', 'postgres'] as const);
const PATIENCE = { timeout: 30_000, interval: 50 };

describe.each(KINDS)('a worker on %s', (kind) => {
  let engine: OpenedEngine;
  let worker: Worker | null = null;
  beforeAll(async () => {
    engine = await openToyEngine(kind);
  });
  afterEach(async () => {
    await worker?.stop();
    worker = null;
  });
  afterAll(() => engine.close());

  const work = async (handlers: Partial<WorkerOptions['handlers']>, concurrency = 2): Promise<void> => {
    worker = await startWorker({
      ...engine,
      logger: silentLogger,
      handlers: {
        'advance-run': async () => {},
        'settle-run': async () => {},
        'handle-delivery': async () => {},
        ...handlers,
      },
      limits: { concurrency, perInstallation: 2 },
    });
  };
  const start = async (name: string, issueNumber = 1) => {
    const request = requestFor(name, issueNumber, engine.clock);
    await engine.store.createRun(request);
    return request.id;
  };
  const stateOf = async (run: RunId) => (await engine.store.load(run))?.state;
  const untilState = (run: RunId, state: string) =>
    vi.waitFor(async () => expect(await stateOf(run)).toBe(state), PATIENCE);
  const deliver = (id: string) =>
    engine.store.acceptDelivery({ id: id as DeliveryId, event: 'issues', payload: {}, receivedAt: id });
  const outcomeOf = async (id: string) => {
    const row = await engine.database.kysely.selectFrom('inbox').selectAll().where('id', '=', id).executeTakeFirst();
    return row && { handledAs: row.handled_as, error: row.error };
  };

  test('takes a run through its waits, one job for each part', async () => {
    const seen: string[] = [];
    await work({
      'advance-run': async (run, steps) => {
        const state = await stateOf(run);
        seen.push(`advance ${String(state)}`);
        const next =
          state === 'preparing'
            ? entered('baseline', 'indexing', 'planning', 'awaiting_approval')
            : entered('finalizing', 'in_review');
        await steps.run(`from/${String(state)}`, async () => ({ output: null, events: next }));
      },
      'settle-run': async (run) => {
        seen.push(`settle ${String(await stateOf(run))}`);
      },
    });
    const run = await start('waits');
    await untilState(run, 'awaiting_approval');
    await engine.store.decide(run, () => ({ events: [APPROVAL] }));
    await untilState(run, 'in_review');
    await engine.store.append(run, entered('accepted'), [{ kind: 'settle-run', run }]);
    await vi.waitFor(() => expect(seen.at(-1)).toBe('settle accepted'), PATIENCE);
    expect(seen.filter((job) => job.startsWith('advance'))).toEqual(['advance preparing', 'advance executing']);
  });

  test('settles a run whose worker was killed just after it recorded the last step', async () => {
    const settled: string[] = [];
    await work({
      'advance-run': (run, steps) =>
        steps.run('last', async (signal) => {
          await engine.store.append(run, entered('failed'));
          return new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason as Error)),
          );
        }),
      'settle-run': async (run) => void settled.push(String(await stateOf(run))),
    });
    await start('killed-behind-its-last-step');
    await vi.waitFor(() => expect(settled).toEqual(['failed']), PATIENCE);
  });

  test('RUN-9: a cancelled run stops in the middle of a step and is settled', async () => {
    const settled: RunId[] = [];
    const reached = Promise.withResolvers<void>();
    await work({
      'advance-run': (_, steps) =>
        steps.run('endless', async (signal) => {
          reached.resolve();
          return new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason as Error)),
          );
        }),
      'settle-run': async (run) => void settled.push(run),
    });
    const run = await start('cancelled');
    await reached.promise;
    await engine.store.requestCancel(run, 'maintainer');
    await untilState(run, 'cancelled');
    expect((await engine.store.load(run))?.ending).toEqual({ type: 'cancelled', by: 'maintainer' });
    await vi.waitFor(() => expect(settled).toEqual([run]), PATIENCE);
  });

  test('cancels a run at once that waits to be tried again', async () => {
    const tries: RunId[] = [];
    await work({
      'advance-run': async (run) => {
        tries.push(run);
        throw new BotError('rate-limited', 'Later.', { details: { retryAfterMs: 3_600_000 } });
      },
    });
    const run = await start('paused');
    await vi.waitFor(() => expect(tries).toEqual([run]), PATIENCE);
    await vi.waitFor(
      async () => expect(await engine.queue.boss.findJobs('advance-run', { key: run, queued: true })).toHaveLength(1),
      PATIENCE,
    );
    expect(await stateOf(run)).toBe('preparing');
    await engine.store.requestCancel(run, 'maintainer');
    await untilState(run, 'cancelled');
    expect(tries).toEqual([run]);
  });

  test('an unforeseen error fails the run once, hides its words, and lets the next run begin', async () => {
    let tries = 0;
    await work({
      'advance-run': async (run, steps) => {
        tries += 1;
        if (run === first) throw new Error('token=hunter2');
        await steps.run('end', async () => ({ output: null, events: entered('failed') }));
      },
    });
    const first = await start('bug', 1);
    const second = await start('bug', 2);
    await untilState(first, 'failed');
    await untilState(second, 'failed');
    expect(tries).toBe(2);
    const ending = (await engine.store.load(first))?.ending;
    expect(ending).toMatchObject({ type: 'failed', code: 'unknown', category: 'bug' });
    expect(JSON.stringify(ending)).not.toContain('hunter2');
  });

  test('tries a step again after a transient error, and no step before it', async () => {
    const effects: string[] = [];
    await work({
      'advance-run': async (_, steps) => {
        await steps.run('first', async () => {
          effects.push('first');
          return { output: new Date(0) };
        });
        await steps.run('second', async () => {
          effects.push('second');
          if (effects.length === 2) {
            throw new BotError('host-unavailable', 'Gone.', { details: { retryAfterMs: 1 } });
          }
          return { output: null, events: entered('cancelled') };
        });
      },
    });
    await untilState(await start('transient'), 'cancelled');
    expect(effects).toEqual(['first', 'second', 'second']);
  });

  test('a flow that ends before its run does is a bug, not a repository held for ever', async () => {
    await work({});
    await untilState(await start('forgetful'), 'failed');
  });

  test('TRIG-6: handles each delivery once, and puts down what cannot be handled', async () => {
    const handled: string[] = [];
    await work({
      'handle-delivery': async ({ id }) => {
        handled.push(id);
        if (id === 'noted') await engine.store.settleDelivery(id, { handledAs: 'run-started', error: null });
        if (id === 'broken') throw new Error('no such field');
      },
    });
    for (const id of ['plain', 'noted', 'broken', 'plain']) await deliver(id);
    worker?.nudge();
    await vi.waitFor(
      async () => expect(await outcomeOf('broken')).toEqual({ handledAs: 'failed', error: 'unknown' }),
      PATIENCE,
    );
    await vi.waitFor(
      async () => expect(await outcomeOf('noted')).toEqual({ handledAs: 'run-started', error: null }),
      PATIENCE,
    );
    await vi.waitFor(
      async () => expect(await outcomeOf('plain')).toEqual({ handledAs: 'handled', error: null }),
      PATIENCE,
    );
    expect(handled.toSorted()).toEqual(['broken', 'noted', 'plain']);
  });

  test('works on no more runs of an installation at a time than allowed', async () => {
    let active = 0;
    let most = 0;
    const gate = Promise.withResolvers<void>();
    await work(
      {
        'advance-run': async (_, steps) => {
          await steps.run('count', async () => {
            most = Math.max(most, (active += 1));
            if (active === 2) gate.resolve();
            await gate.promise;
            active -= 1;
            return { output: null, events: entered('failed') };
          });
        },
      },
      4,
    );
    const runs = await Promise.all(['a', 'b', 'c', 'd'].map((name) => start(`group-${name}`)));
    for (const run of runs) await untilState(run, 'failed');
    expect(most).toBe(2);
  });

  test('ends a run that ended its process ten times in a row', async () => {
    const run = await start('poison');
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await engine.engineStore.claim(run, { id: '00000000-0000-4000-8000-000000000009', attempt }, () => true);
    }
    let tries = 0;
    await work({ 'advance-run': async () => void (tries += 1) });
    await untilState(run, 'failed');
    expect(tries).toBe(0);
  });
});
