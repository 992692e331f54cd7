import { PgBoss } from 'pg-boss';
import type { Database } from '../database/database.ts';
import type { Logger } from '../telemetry/logger.ts';

/** The queue's own schema, upgraded by the queue itself. */
export const QUEUE_SCHEMA = 'refactor_bot_jobs';

export const QUEUES = ['advance-run', 'settle-run', 'handle-delivery'] as const;
export type QueueName = (typeof QUEUES)[number];

/** The longest pg-boss allows. A worker hands a job on well before (`run-job.ts`), so that a run may take longer. */
const EXPIRE_SECONDS = 24 * 60 * 60;
/**
 * After so long without a sign of life a job is given to another host. Longer than pg-boss's least (10 s), because indexing may
 * keep the event loop busy for seconds.
 */
const HEARTBEAT_SECONDS = 15;
export const HEARTBEAT_REFRESH_SECONDS = 3;
/** A job is never given up by the queue: what becomes of it is decided in `settle-error.ts`. */
const RETRY_LIMIT = 100_000;
const NO_JOB = '00000000-0000-0000-0000-000000000000';

export interface JobQueue {
  readonly boss: PgBoss;
  close(): Promise<void>;
}

/** Opens the queue in the given database, on PGlite and PostgreSQL alike. Close it before the database. */
export async function openQueue(options: { readonly database: Database; readonly logger: Logger }): Promise<JobQueue> {
  const { database, logger } = options;
  const several = database.kind === 'postgres';
  const boss = new PgBoss({
    ...database.bossOptions,
    schema: QUEUE_SCHEMA,
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds: several ? 3 : 60,
    monitorIntervalSeconds: several ? 3 : 60,
  });
  boss.on('error', (err) => logger.warn({ err }, 'queue error'));
  boss.on('warning', (warning) => logger.warn({ warning }, 'queue warning'));
  await boss.start();
  for (const name of QUEUES) await openOneQueue(boss, name, several);
  return { boss, close: () => boss.stop({ graceful: true, timeout: 5_000 }) };
}

async function openOneQueue(boss: PgBoss, name: QueueName, several: boolean): Promise<void> {
  await boss.createQueue(name, {
    // Jobs of one run (its `singletonKey`) come one after the other; deliveries are independent.
    policy: name === 'handle-delivery' ? 'standard' : 'key_strict_fifo',
    notify: true,
    retryLimit: RETRY_LIMIT,
    retryDelay: 0,
    expireInSeconds: EXPIRE_SECONDS,
    deleteAfterSeconds: 60 * 60,
    // On PGlite there is no other host: a busy event loop could only take a job from itself (see `recover.ts`).
    ...(several ? { heartbeatSeconds: HEARTBEAT_SECONDS } : {}),
  });
  // pg-boss reads a queue's settings at its first use, by its own connection. On PGlite that waits for ever when the first
  // use is inside one of our transactions, so each queue is used once here.
  await boss.findJobs(name, { id: NO_JOB });
}
