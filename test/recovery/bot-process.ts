/** A bot in a process of its own that the recovery tests kill: forked, told everything over IPC (the key is in no argv, no environment). */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { LedgerRecord } from '../../src/domain/ledger.ts';
import { QUEUES, QUEUE_SCHEMA } from '../../src/engine/open-queue.ts';
import type { Settings } from '../../src/config/settings.ts';
import { startBot, type Bot } from '../../src/start-bot.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { watchEverything } from './kill-points.ts';

export interface BotOrders {
  readonly settings: Settings;
  /** Written beside the points: which of several workers came there. */
  readonly worker: string;
  /** File that gets a line `<worker>\t<point>` for each point, before anything else happens there. */
  readonly pointsFile: string;
  /** File of the points at which somebody was killed, so that it happens once at each. */
  readonly killsFile: string;
  readonly killAt: readonly string[];
}

export type ToBot =
  | { readonly kind: 'start'; readonly orders: BotOrders }
  | { readonly kind: 'look'; readonly repository: string }
  | { readonly kind: 'stop' };

export type FromBot =
  | { readonly kind: 'started' }
  | {
      readonly kind: 'seen';
      /** Nothing waits in the queue or in the inbox, nothing is being worked on. */
      readonly idle: boolean;
      /** Of the newest run of the repository. */
      readonly ledger: readonly LedgerRecord[];
    };

let bot: Bot | null = null;

process.on('message', (message: ToBot) => {
  void obey(message).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  });
});
// Whoever started it is gone.
process.on('disconnect', () => process.exit(1));

async function obey(message: ToBot): Promise<void> {
  switch (message.kind) {
    case 'start':
      bot = await start(message.orders);
      return tell({ kind: 'started' });
    case 'look':
      return tell(await look(message.repository));
    case 'stop':
      await bot?.stop();
      return process.disconnect();
  }
}

function tell(message: FromBot): void {
  process.send?.(message);
}

async function start(orders: BotOrders): Promise<Bot> {
  const logger = createLogger({ level: process.env['RECOVERY_LOG'] ?? 'error' });
  const reach = (point: string) => {
    appendFileSync(orders.pointsFile, `${orders.worker}\t${point}\n`);
    if (!orders.killAt.includes(point) || linesOf(orders.killsFile).includes(point)) return;
    appendFileSync(orders.killsFile, `${point}\n`);
    process.kill(process.pid, 'SIGKILL');
  };
  return startBot(orders.settings, { logger, paceRequests: false, ...watchEverything(reach) });
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
}

async function look(repository: string): Promise<FromBot> {
  if (bot === null) throw new Error('Asked before it was started.');
  const { engine, ports } = bot.composed;
  const { kysely } = engine.database;
  const unsettled = await kysely.selectFrom('inbox').select('id').where('settled_at', 'is', null).execute();
  const jobs = await sql`
    select id from ${sql.table(`${QUEUE_SCHEMA}.job`)}
    where name in (${sql.join(QUEUES)}) and state in ('created', 'retry', 'active')
  `.execute(kysely);
  const [newest] = await ports.store.runsOf(repository);
  return {
    kind: 'seen',
    idle: unsettled.length === 0 && jobs.rows.length === 0,
    ledger: newest === undefined ? [] : await ports.store.ledger(newest.id),
  };
}
