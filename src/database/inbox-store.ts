import type { Transaction } from 'kysely';
import type { Clock } from '../domain/clock.ts';
import type { DeliveryId } from '../domain/ids.ts';
import type { Database } from './database.ts';
import { inTransaction, reaching } from './in-transaction.ts';
import type { DeliveryRow, RunStore } from './run-store.ts';
import type { Tables } from './tables.ts';

type InboxStore = Pick<RunStore, 'acceptDelivery' | 'getDelivery' | 'settleDelivery'>;

export function createInboxStore(database: Pick<Database, 'kysely'>, clock: Clock): InboxStore {
  const { kysely } = database;
  return {
    acceptDelivery: async (row) => {
      const inserted = await reaching(() =>
        kysely
          .insertInto('inbox')
          .values({ id: row.id, event: row.event, payload: JSON.stringify(row.payload), received_at: row.receivedAt })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst(),
      );
      return inserted !== undefined;
    },
    getDelivery: async (id) => {
      const row = await reaching(() => kysely.selectFrom('inbox').selectAll().where('id', '=', id).executeTakeFirst());
      return row === undefined ? null : { id, event: row.event, payload: row.payload, receivedAt: row.received_at };
    },
    // The first outcome stands: handling that was repeated after a crash does not rewrite what happened.
    settleDelivery: async (id, outcome) => {
      await reaching(() =>
        kysely
          .updateTable('inbox')
          .set({
            settled_at: clock.now().toISOString(),
            handled_as: outcome.handledAs,
            error: outcome.error,
            // Nobody reads it again: every comment of every repository would be kept for ever. The row tells a repeat.
            payload: 'null',
          })
          .where('id', '=', id)
          .where('settled_at', 'is', null)
          .execute(),
      );
    },
  };
}

/** The delivery while its handling has not ended, else null. */
export async function openDelivery(database: Pick<Database, 'kysely'>, id: DeliveryId): Promise<DeliveryRow | null> {
  const row = await reaching(() =>
    database.kysely
      .selectFrom('inbox')
      .selectAll()
      .where('id', '=', id)
      .where('settled_at', 'is', null)
      .executeTakeFirst(),
  );
  return row === undefined ? null : { id, event: row.event, payload: row.payload, receivedAt: row.received_at };
}

/** Sends a job for each delivery that has none, oldest first, in one transaction. Answers how many. */
export async function queueDeliveries(
  options: { readonly database: Pick<Database, 'kysely'>; readonly clock: Clock; readonly limit: number },
  send: (trx: Transaction<Tables>, deliveries: readonly DeliveryId[]) => Promise<void>,
): Promise<number> {
  return inTransaction(options.database, async (trx) => {
    const rows = await trx
      .selectFrom('inbox')
      .select('id')
      .where('queued_at', 'is', null)
      .orderBy('received_at')
      .limit(options.limit)
      .forUpdate()
      .skipLocked()
      .execute();
    if (rows.length === 0) return 0;
    const ids = rows.map((row) => row.id);
    await trx
      .updateTable('inbox')
      .set({ queued_at: options.clock.now().toISOString() })
      .where('id', 'in', ids)
      .execute();
    await send(trx, ids as DeliveryId[]);
    return ids.length;
  });
}
