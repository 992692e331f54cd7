import { sql, type Kysely, type Transaction } from 'kysely';
import { BotError } from '../domain/errors.ts';
import { SCHEMA, type Tables } from './tables.ts';
import { createFirstTables } from './migrations/0001-first-tables.ts';

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly apply: (trx: Transaction<Tables>) => Promise<void>;
}

/** In order, never changed once released: a new shape is a new file and a new line. */
const MIGRATIONS: readonly Migration[] = [{ number: 1, name: 'first-tables', apply: createFirstTables }];

/** Any number that only this program uses: two processes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_265_666_001;

/** Brings the schema up to this code, in one transaction. Throws `database-newer` for a schema of a later version. */
export async function migrate(kysely: Kysely<Tables>, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  await kysely.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(trx);
    await sql`create schema if not exists ${sql.id(SCHEMA)}`.execute(trx);
    await sql`
      create table if not exists refactor_bot.migration (
        number integer primary key, name text not null, at text not null default now()::text
      )`.execute(trx);
    const applied = await trx.selectFrom('migration').select('number').execute();
    const newest = Math.max(0, ...applied.map((row) => row.number));
    refuseNewer(newest, migrations);
    for (const migration of migrations.filter((entry) => entry.number > newest)) {
      await migration.apply(trx);
      await trx.insertInto('migration').values({ number: migration.number, name: migration.name }).execute();
    }
  });
}

function refuseNewer(newest: number, migrations: readonly Migration[]): void {
  const known = Math.max(...migrations.map((entry) => entry.number));
  if (newest <= known) return;
  throw new BotError(
    'database-newer',
    `The database is at version ${newest}, this program knows version ${known}. Start a newer release, or restore the database from before the upgrade.`,
    { details: { database: newest, program: known } },
  );
}
