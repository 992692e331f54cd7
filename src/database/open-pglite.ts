import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import { fromPglite } from 'pg-boss';
import type { TrustedPath } from '../domain/workspace.ts';
import { lockDirectory } from './lock-directory.ts';
import type { Database } from './database.ts';
import { SCHEMA, type Tables } from './tables.ts';

/** PostgreSQL inside this process, in one directory that no other process may open meanwhile. */
export async function openPglite(directory: TrustedPath): Promise<Database> {
  mkdirSync(dirname(directory), { recursive: true });
  // Payloads of private repositories are in it.
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = lockDirectory(directory);
  try {
    const pglite = await PGlite.create(directory);
    return {
      kind: 'pglite',
      kysely: new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) }).withSchema(SCHEMA),
      bossOptions: { backend: 'pglite', db: fromPglite(pglite) },
      // Not `kysely.destroy()`: it closes nothing when no query ran, and the queue shares the instance.
      close: async () => {
        if (!pglite.closed) await pglite.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}
