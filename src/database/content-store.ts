import { sha256 } from '../domain/ids.ts';
import type { Database } from './database.ts';
import { reaching } from './in-transaction.ts';
import type { RunStore } from './run-store.ts';

export function createContentStore(database: Pick<Database, 'kysely'>): Pick<RunStore, 'putContent' | 'getContent'> {
  const { kysely } = database;
  return {
    putContent: async (text) => {
      const bytes = Buffer.from(text, 'utf8');
      const hash = sha256(bytes);
      await reaching(() =>
        kysely
          .insertInto('content')
          .values({ hash, text: bytes })
          .onConflict((conflict) => conflict.column('hash').doNothing())
          .execute(),
      );
      return hash;
    },
    getContent: async (hash) => {
      const row = await reaching(() =>
        kysely.selectFrom('content').select('text').where('hash', '=', hash).executeTakeFirst(),
      );
      return row === undefined ? null : Buffer.from(row.text).toString('utf8');
    },
  };
}
