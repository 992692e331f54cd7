import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { fromKysely } from 'pg-boss';
import type { DeliveryId, RunId } from '../domain/ids.ts';
import type { SendJob } from '../database/ledger-writer.ts';
import type { Tables } from '../database/tables.ts';
import type { JobQueue } from './open-queue.ts';

export interface RunJobData {
  readonly run: RunId;
  /** Attempts in a row that were put off; 0 for a job that was not. */
  readonly failures: number;
}

export interface DeliveryJobData {
  readonly delivery: DeliveryId;
  readonly failures: number;
}

/**
 * Sends the job of a run in the caller's transaction, which holds the lock of the run's repository.
 *
 * A repeat is one job: nothing is sent while one is queued. That loses no wake-up, although the queued job may start at this very
 * moment: a worker begins by claiming the run, which waits for our lock, and so reads what we write. A job that runs already may
 * be past reading, so it does not count, and its successor waits for its end. Nor does one that is put off to later count.
 */
export function createSendJob(queue: JobQueue): SendJob {
  return async (trx, { intent, installation, deferred }) => {
    const db = fromKysely(trx);
    if (deferred === undefined) {
      const queued = await queue.boss.findJobs<RunJobData>(intent.kind, { key: intent.run, queued: true, db });
      if (queued.some((job) => job.data.failures === 0)) return;
    }
    const data: RunJobData = { run: intent.run, failures: deferred?.failures ?? 0 };
    await queue.boss.send(intent.kind, data, {
      singletonKey: intent.run,
      group: { id: installation },
      startAfter: seconds(deferred?.afterMs ?? 0),
      db,
    });
  };
}

/** Sends a job for each delivery in the caller's transaction. Sending one again does nothing while its job is remembered. */
export async function sendDeliveryJobs(
  queue: JobQueue,
  trx: Transaction<Tables>,
  deliveries: readonly DeliveryId[],
): Promise<void> {
  const jobs = deliveries.map((delivery) => ({
    id: jobIdFor(delivery),
    data: { delivery, failures: 0 } satisfies DeliveryJobData,
  }));
  await queue.boss.insert('handle-delivery', jobs, { db: fromKysely(trx) });
}

/** Puts a delivery off. */
export async function resendDelivery(queue: JobQueue, data: DeliveryJobData, afterMs: number): Promise<void> {
  await queue.boss.send('handle-delivery', data, { startAfter: seconds(afterMs) });
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}

/** Delivery ids of GitHub are GUIDs, those of other senders need not be; the queue takes nothing else. */
function jobIdFor(delivery: DeliveryId): string {
  const hex = createHash('sha256').update(`delivery ${delivery}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
