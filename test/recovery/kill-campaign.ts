import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { foldRun } from '../../src/domain/run-view.ts';
import type { LedgerRecord } from '../../src/domain/ledger.ts';
import { hasEnded, type RunState } from '../../src/domain/run.ts';
import { WEBHOOK_PATH } from '../../src/start-bot.ts';
import { makeWorld, type World } from '../support/world.ts';
import { startBotProcess, type BotHandle } from './bot-handle.ts';
import { readOutcome, type Outcome } from './outcome.ts';
import { smallestRepository } from './smallest-repository.ts';

export interface Campaign {
  /** Points at which whoever comes there first is killed, once at each. */
  readonly killAt: readonly string[];
  /** Two or more need PostgreSQL. Webhooks go to the first. */
  readonly workers: readonly string[];
  readonly databaseUrl: string | null;
  /** A data directory that a bot has been started on before, which saves making the database. */
  readonly template: string | null;
}

export interface Place {
  readonly worker: string;
  readonly point: string;
}

export interface Told {
  readonly outcome: Outcome;
  /** Every point that was reached, by whom, in order. */
  readonly places: readonly Place[];
  /** The points at which a process was killed, in order. */
  readonly kills: readonly string[];
}

/** A directory with a toolchain and an empty database, to be copied. */
export async function makeTemplate(): Promise<{ readonly dir: string; remove(): Promise<void> }> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'refactor-bot-template-'));
  const world = await makeWorld({ files: smallestRepository() });
  const fleet = createFleet(world, { killAt: [], workers: ['template'], databaseUrl: null, template: null });
  await fleet.startMissing();
  await fleet.stop();
  const dir = path.join(root, 'data');
  await cp(path.join(world.folder, 'template'), dir, { recursive: true, verbatimSymlinks: true });
  await world.close();
  return { dir, remove: () => rm(root, { recursive: true, force: true }) };
}

/** The whole job, from label to merge, with the bot killed at each given point and started again. */
export async function tellStory(campaign: Campaign): Promise<Told> {
  const world = await makeWorld({ files: smallestRepository(), databaseUrl: campaign.databaseUrl });
  const fleet = createFleet(world, campaign);
  try {
    await fleet.startMissing();
    const { number } = await world.rest<{ number: number }>('POST', 'issues', { title: 'Tidy up', body: 'Please.' });
    await world.rest('POST', `issues/${number}/labels`, { labels: ['refactor'] });
    const reviewed = foldRun(await fleet.until('in_review'));
    const pull = reviewed.pullRequest?.number ?? 0;
    await fleet.startMissing();
    await world.rest('PUT', `pulls/${pull}/merge`, { merge_method: 'merge' });
    const ledger = await fleet.until('accepted');
    return { outcome: await readOutcome(world, ledger), places: fleet.places(), kills: fleet.kills() };
  } finally {
    await fleet.stop();
    await world.close();
  }
}

interface Fleet {
  startMissing(): Promise<void>;
  /** Until the run is in that state and nothing is left to do. Starts workers anew when none is left. */
  until(state: RunState): Promise<readonly LedgerRecord[]>;
  places(): readonly Place[];
  kills(): readonly string[];
  stop(): Promise<void>;
}

/** Against hanging: on a busy machine each restart takes seconds. */
const PATIENCE_MS = 1_500_000;
const PAUSE_MS = 100;

function createFleet(world: World, campaign: Campaign): Fleet {
  const pointsFile = path.join(world.folder, 'points');
  const killsFile = path.join(world.folder, 'kills');
  const running = new Map<string, BotHandle>();
  const ports = new Map<string, number>();

  const start = async (worker: string) => {
    const dataDir = path.join(world.folder, worker);
    if (campaign.template !== null && !existsSync(dataDir)) {
      await cp(campaign.template, dataDir, { recursive: true, verbatimSymlinks: true });
    }
    // Always the same port, as a server has: what is delivered while nobody listens is asked for at the next start.
    const port = ports.get(worker) ?? (await freePort());
    ports.set(worker, port);
    if (worker === campaign.workers[0]) world.github.setWebhookUrl(`http://127.0.0.1:${port}${WEBHOOK_PATH}`);
    // Nothing here is about the sandbox, and the code is ours.
    const sandbox = { driver: 'none', user: null } as const;
    const settings = { ...world.settings, sandbox, dataDir, listen: { host: '127.0.0.1', port } };
    const { killAt } = campaign;
    running.set(worker, await startBotProcess({ settings, worker, pointsFile, killsFile, killAt }));
  };
  const buryDead = async () => {
    for (const [worker, bot] of running) {
      if (bot.isAlive()) continue;
      expect(await bot.ended()).toBe('SIGKILL');
      running.delete(worker);
    }
  };
  const startMissing = async () => {
    await buryDead();
    for (const worker of campaign.workers) if (!running.has(worker)) await start(worker);
  };
  return {
    startMissing,
    until: async (state) => {
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        await buryDead();
        if (running.size === 0) await startMissing();
        await world.github.idle();
        const seen = await [...running.values()][0]?.look(world.repository);
        const view = seen === null || seen === undefined || seen.ledger.length === 0 ? null : foldRun(seen.ledger);
        if (seen?.idle === true && view?.state === state) return seen.ledger;
        const hopeless = view !== null && view.state !== state && hasEnded(view.state);
        if (hopeless || performance.now() > deadline) throw new Error(`Not ${state}: ${JSON.stringify(view, null, 1)}`);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
    places: () =>
      linesOf(pointsFile).map((line) => {
        const [worker = '', point = ''] = line.split('\t');
        return { worker, point };
      }),
    kills: () => linesOf(killsFile),
    stop: async () => {
      for (const bot of running.values()) await bot.stop();
    },
  };
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
