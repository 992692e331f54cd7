/**
 * How long GitHub waits for the answer to a delivery while the worker handles those that came before:
 * `node bench/deliveries.ts --database pglite|postgres --per-second 50 --seconds 20`; prints one JSON line.
 */
import { parseArgs } from 'node:util';
import { offerDeliveries, type Acknowledgement, type Load } from './load/offer-deliveries.ts';
import { openSite, type DatabaseKind, type Site } from './load/open-site.ts';
import { startProgram, type Program } from './load/start-program.ts';

export interface DeliveryFigures extends Load {
  readonly database: DatabaseKind;
  readonly bot: Acknowledgement;
  /** A server that only checks the signature, in the same interleaved run. */
  readonly bare: Acknowledgement;
  /** Of the measured ones and those that warmed up, how many were settled when the load ended. */
  readonly handledShare: number;
  /** Processors the bot used: far below its share with bad times means that the machine was busy with others. */
  readonly cores: number;
  readonly peakMb: number;
}

/** Code that runs for the first time is slow, and a server is started once: not counted. */
const WARM_UP_SECONDS = 2;

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'pglite' },
    'per-second': { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
  },
});
const load = { perSecond: Number(values['per-second']), seconds: Number(values.seconds) };
const database: DatabaseKind = values.database === 'postgres' ? 'postgres' : 'pglite';
process.stdout.write(`${JSON.stringify(await measureDeliveries(database, load))}\n`);

async function measureDeliveries(database: DatabaseKind, load: Load): Promise<DeliveryFigures> {
  const site = await openSite(database);
  try {
    const bare = await startProgram<{ url: string }>(new URL('./load/signature-program.ts', import.meta.url), {
      secret: site.github.app.webhookSecret,
    });
    try {
      return { database, ...load, ...(await measureSite(site, bare, load)) };
    } finally {
      await bare.stop();
    }
  } finally {
    await site.close();
  }
}

async function measureSite(
  { bot, github }: Site,
  bare: Program<{ url: string }>,
  load: Load,
): Promise<Omit<DeliveryFigures, keyof Load | 'database'>> {
  const urls = [bot.webhookUrl, bare.answer.url];
  const sender = { secret: github.app.webhookSecret, event: 'issues', body: github.labeled };
  const [warmUp] = await offerDeliveries(urls, { ...load, seconds: WARM_UP_SECONDS }, sender);
  const cpuBefore = await bot.cpuSeconds();
  const [measured, measuredBare] = await offerDeliveries(urls, load, sender);
  const cpuSeconds = (await bot.cpuSeconds()) - cpuBefore;
  const handled = bot.logged().ignored;
  const { peakMb } = await bot.memory();
  await bot.stop();
  if (warmUp === undefined || measured === undefined || measuredBare === undefined)
    throw new Error('Nothing was sent.');
  const answered = warmUp.answered + measured.answered;
  assertStored(bot, answered);
  return {
    bot: measured,
    bare: measuredBare,
    handledShare: Math.round((handled / answered) * 100) / 100,
    cores: Math.round((cpuSeconds / load.seconds) * 100) / 100,
    peakMb,
  };
}

/** A figure for deliveries that were answered and forgotten would be worth nothing. */
function assertStored(bot: Site['bot'], answered: number): void {
  const { stored, complaints } = bot.logged();
  if (answered > 0 && stored >= answered) return;
  throw new Error(`${answered} deliveries were answered, ${stored} were stored.\n${complaints.join('\n')}`);
}
