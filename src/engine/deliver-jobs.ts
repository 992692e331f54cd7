import type { Database } from '../database/database.ts';
import { openDelivery, queueDeliveries } from '../database/inbox-store.ts';
import type { DeliveryRow, RunStore } from '../database/run-store.ts';
import type { Clock } from '../domain/clock.ts';
import { toBotError } from '../domain/errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { JobQueue } from './open-queue.ts';
import { resendDelivery, sendDeliveryJobs, type DeliveryJobData } from './send-jobs.ts';
import { settleError } from './settle-error.ts';

export type DeliveryHandler = (delivery: DeliveryRow) => Promise<void>;

export interface DeliveryContext {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly store: Pick<RunStore, 'settleDelivery'>;
  readonly clock: Clock;
  readonly handler: DeliveryHandler;
  readonly logger: Logger;
}

const AT_ONCE = 100;
/** A delivery that ended its process so often is put down as unhandled. */
const MOST_ATTEMPTS = 10;

/** Sends a job for every stored delivery that has none. */
export async function sweepInbox(context: DeliveryContext): Promise<void> {
  const { database, clock, queue } = context;
  const send = (...[trx, ids]: Parameters<Parameters<typeof queueDeliveries>[1]>) => sendDeliveryJobs(queue, trx, ids);
  while ((await queueDeliveries({ database, clock, limit: AT_ONCE }, send)) === AT_ONCE);
}

/** Handles one delivery to its outcome. Throws only when the database does. */
export async function deliverJob(
  context: DeliveryContext,
  job: { readonly data: DeliveryJobData; readonly attempt: number },
): Promise<void> {
  const { store } = context;
  const id = job.data.delivery;
  const delivery = await openDelivery(context.database, id);
  if (delivery === null) return;
  if (job.attempt >= MOST_ATTEMPTS) {
    context.logger.error({ delivery: id }, 'delivery given up, it ended its process again and again');
    return store.settleDelivery(id, { handledAs: 'given-up', error: 'invariant-broken' });
  }
  try {
    await context.handler(delivery);
    // For a handler that had nothing to note: an outcome that stands already is kept.
    await store.settleDelivery(id, { handledAs: 'handled', error: null });
  } catch (thrown) {
    await settleFailure(context, job.data, thrown);
  }
}

async function settleFailure(context: DeliveryContext, data: DeliveryJobData, thrown: unknown): Promise<void> {
  const error = toBotError(thrown);
  const settlement = settleError(error, { stopped: null, failures: data.failures });
  const fields = { delivery: data.delivery, code: error.code, settlement: settlement.kind, err: error };
  if (settlement.kind === 'again') {
    context.logger.warn(fields, 'delivery put off');
    await resendDelivery(context.queue, { ...data, failures: settlement.failures }, settlement.afterMs);
    return;
  }
  context.logger.error(fields, 'delivery not handled');
  await context.store.settleDelivery(data.delivery, { handledAs: 'failed', error: error.code });
}
