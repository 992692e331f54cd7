import { createEngineStore, type EngineStore } from '../database/engine-store.ts';
import { createRunStore } from '../database/create-run-store.ts';
import type { Database } from '../database/database.ts';
import type { LedgerOptions } from '../database/ledger-writer.ts';
import type { RunStore } from '../database/run-store.ts';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import { afterRunChange } from './admit-run.ts';
import { openQueue, type JobQueue } from './open-queue.ts';
import { createSendJob } from './send-jobs.ts';

export interface Engine {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly store: RunStore;
  readonly engineStore: EngineStore;
}

/** Store and queue over one database: enough to record intents. `startWorker` does the work. Close the queue, then the database. */
export async function openEngine(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<Engine> {
  const { database, clock } = options;
  const queue = await openQueue(options);
  const ledger: LedgerOptions = { database, clock, send: createSendJob(queue), afterChange: afterRunChange };
  return { database, queue, store: createRunStore(ledger), engineStore: createEngineStore(ledger) };
}
