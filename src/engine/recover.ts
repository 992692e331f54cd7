import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { EngineStore } from '../database/engine-store.ts';
import type { Logger } from '../telemetry/logger.ts';
import { admitNext } from './admit-run.ts';
import { QUEUE_SCHEMA, type JobQueue } from './open-queue.ts';

/**
 * What a start does about what an end without warning left behind. On PGlite this is the only process, so each active job is an
 * orphan and is taken back at once; on PostgreSQL its heartbeat tells, within half a minute.
 */
export async function recover(options: {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly store: EngineStore;
  readonly logger: Logger;
}): Promise<void> {
  const { database, queue, store, logger } = options;
  const orphans = database.kind === 'pglite' ? await takeBackOrphans(database, queue) : 0;
  await store.forEachRepository(admitNext);
  const resumed = await store.resumeActiveRuns();
  if (orphans + resumed.length > 0) logger.info({ orphans, runs: resumed }, 'runs taken up again');
}

async function takeBackOrphans(database: Database, { boss }: JobQueue): Promise<number> {
  const jobs = await sql<{ readonly id: string; readonly name: string; readonly retryCount: number }>`
    select id, name, retry_count as "retryCount" from ${sql.table(`${QUEUE_SCHEMA}.job`)} where state = 'active'
  `.execute(database.kysely);
  for (const job of jobs.rows) {
    await boss.fail(job.name, { id: job.id, retryCount: job.retryCount }, { message: 'its process ended' });
  }
  return jobs.rows.length;
}
