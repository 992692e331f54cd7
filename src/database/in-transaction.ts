import type { Transaction } from 'kysely';
import type { Database } from './database.ts';
import { mapDatabaseError } from './map-database-error.ts';
import type { Tables } from './tables.ts';

/** All writes go through here: an outage becomes an error that the engine knows how to wait out. */
export async function inTransaction<Result>(
  database: Pick<Database, 'kysely'>,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return reaching(() => database.kysely.transaction().execute(work));
}

/** The same for a statement by itself. */
export async function reaching<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw mapDatabaseError(error);
  }
}
