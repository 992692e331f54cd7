/**
 * Memory of a bot that has nothing to do: `node bench/idle-memory.ts --database pglite|postgres --seconds 10`; prints one JSON line.
 * PostgreSQL is a process of its own and not counted.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openSite, type DatabaseKind } from './load/open-site.ts';

export interface IdleFigures {
  readonly database: DatabaseKind;
  readonly seconds: number;
  readonly idleMb: number;
  /** While it started. */
  readonly peakMb: number;
  /** Processors it used while it had nothing to do. */
  readonly idleCores: number;
}

const { values } = parseArgs({
  options: { database: { type: 'string', default: 'pglite' }, seconds: { type: 'string', default: '10' } },
});
const database: DatabaseKind = values.database === 'postgres' ? 'postgres' : 'pglite';
process.stdout.write(`${JSON.stringify(await measureIdle(database, Number(values.seconds)))}\n`);

async function measureIdle(database: DatabaseKind, seconds: number): Promise<IdleFigures> {
  const { bot, close } = await openSite(database);
  try {
    const cpuBefore = await bot.cpuSeconds();
    await wait(seconds * 1000);
    const cpuSeconds = (await bot.cpuSeconds()) - cpuBefore;
    const { nowMb, peakMb } = await bot.memory();
    return { database, seconds, idleMb: nowMb, peakMb, idleCores: Math.round((cpuSeconds / seconds) * 1000) / 1000 };
  } finally {
    await close();
  }
}
