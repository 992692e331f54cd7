import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../src/database/open-database.ts';
import type { DeliveryId } from '../src/domain/ids.ts';
import type { TrustedPath } from '../src/domain/workspace.ts';
import { openEngine } from '../src/engine/open-engine.ts';
import { startWorker } from '../src/engine/worker.ts';
import { createLogger } from '../src/telemetry/logger.ts';
import { postgresPrograms, startPostgres } from '../test/support/postgres.ts';

export interface DeliveryLoad {
  readonly kind: 'pglite' | 'postgres';
  readonly perSecond: number;
  readonly seconds: number;
}

export interface DeliveryFigures extends DeliveryLoad {
  readonly accepted: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  readonly rssMb: number;
  /** Share of one core that this process used: far below 1 with bad times means that the machine was busy with others. */
  readonly cores: number;
}

/** About as large as a real `issues` delivery. */
const PAYLOAD = { action: 'labeled', body: 'x'.repeat(8_000) };

/**
 * How long storing a delivery takes while the worker handles those that came before. Deliveries come at their times whether or
 * not the former were answered, and each is measured from the time it was due, so that a pause is not hidden by waiting.
 */
export async function measureDeliveries(load: DeliveryLoad): Promise<DeliveryFigures> {
  const root = mkdtempSync(join(tmpdir(), 'refactor-bot-bench-'));
  const cluster = load.kind === 'postgres' ? await startPostgres({ durable: true }) : null;
  const clock = { now: () => new Date() };
  const logger = createLogger({ level: 'warn' });
  const database = await openDatabase({
    url: cluster?.url ?? null,
    directory: join(root, 'db') as TrustedPath,
    logger,
  });
  const engine = await openEngine({ database, clock, logger });
  const idle = async (): Promise<void> => {};
  const worker = await startWorker({
    ...engine,
    clock,
    logger,
    handlers: { 'advance-run': idle, 'settle-run': idle, 'handle-delivery': idle },
    limits: { concurrency: 2, perInstallation: 2 },
  });
  const accept = async (index: number): Promise<void> => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` as DeliveryId;
    await engine.store.acceptDelivery({ id, event: 'issues', payload: PAYLOAD, receivedAt: clock.now().toISOString() });
    worker.nudge();
  };
  try {
    const before = process.cpuUsage();
    const durations = await offer(load, accept);
    const used = process.cpuUsage(before);
    return summarize(load, { durations, cpuSeconds: (used.user + used.system) / 1e6 });
  } finally {
    await worker.stop();
    await engine.queue.close();
    await database.close();
    await cluster?.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

async function offer(load: DeliveryLoad, accept: (index: number) => Promise<void>): Promise<readonly number[]> {
  const startedAt = performance.now();
  const pending: Promise<number>[] = [];
  const total = load.perSecond * load.seconds;
  while (pending.length < total) {
    const due = startedAt + (pending.length * 1000) / load.perSecond;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    pending.push(accept(pending.length).then(() => performance.now() - due));
  }
  return Promise.all(pending);
}

function summarize(
  load: DeliveryLoad,
  measured: { readonly durations: readonly number[]; readonly cpuSeconds: number },
): DeliveryFigures {
  const sorted = measured.durations.toSorted((left, right) => left - right);
  const at = (share: number): number => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
  const rssMb = Math.round(process.memoryUsage().rss / 2 ** 20);
  const cores = Math.round((measured.cpuSeconds / load.seconds) * 100) / 100;
  return { ...load, accepted: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1), rssMb, cores };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await measureDeliveries({ kind: 'pglite', perSecond: 50, seconds: 15 })));
  if (postgresPrograms !== null) {
    console.log(JSON.stringify(await measureDeliveries({ kind: 'postgres', perSecond: 200, seconds: 15 })));
  }
}
