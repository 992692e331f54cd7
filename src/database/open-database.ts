import type { Database, DatabaseOptions } from './database.ts';
import { mapDatabaseError } from './map-database-error.ts';
import { migrate } from './migrate.ts';
import { openPglite } from './open-pglite.ts';
import { openPostgres } from './open-postgres.ts';

/**
 * Opens the one database and brings its schema up to date.
 * Throws `database-locked`, `database-unavailable`, `database-newer`, `settings-invalid`.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database =
    options.url === null ? await openPglite(options.directory) : await openPostgres(options.url, options.logger);
  try {
    await migrate(database.kysely);
  } catch (error) {
    await database.close();
    throw mapDatabaseError(error);
  }
  return database;
}
