/** A worker process over toy flows, started by the recovery tests: `node toy-worker.ts '<json of ToyWorkerOptions>'`. */
import { openDatabase } from '../../src/database/open-database.ts';
import type { RunId } from '../../src/domain/ids.ts';
import { hasEnded } from '../../src/domain/run.ts';
import type { TrustedPath } from '../../src/domain/workspace.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import type { RunHandler } from '../../src/engine/run-job.ts';
import { startWorker } from '../../src/engine/worker.ts';
import { requestFor, silentLogger } from './toy-engine.ts';
import { killOnceAtEachPoint, noteEffect, toyFlow } from './toy-flow.ts';

export interface ToyWorkerOptions {
  readonly name: string;
  readonly url: string | null;
  readonly databaseDir: string;
  readonly effectsDir: string;
  /** Creates this repository's first run if it is not there yet. */
  readonly repository: string;
  readonly mode: 'through' | 'hang-in-commit' | 'only-open';
  /** Steps at whose points it is killed, once at each. */
  readonly killIn: readonly string[];
}

const options = JSON.parse(process.argv[2] ?? '{}') as ToyWorkerOptions;
const clock = { now: () => new Date() };

const database = await openDatabase({
  url: options.url,
  directory: options.databaseDir as TrustedPath,
  logger: silentLogger,
});
process.stdout.write('open\n');
if (options.mode === 'only-open') await new Promise(() => setInterval(() => {}, 60_000));

const engine = await openEngine({ database, clock, logger: silentLogger });
const fixed = { now: () => new Date('2026-11-22T01:02:03.000Z') };
const request = requestFor(options.repository, 1, fixed);
await engine.store.createRun(request);

const settled = Promise.withResolvers<void>();
const flow = toyFlow(options.effectsDir, options.name);
/** Stops where a killed or drained worker is to be caught: in the middle of an effect. */
const hang: RunHandler = async (run, steps) => {
  const hanging = {
    signal: steps.signal,
    run: ((name, effect) =>
      steps.run(name, async (signal) => {
        if (name !== 'batch/batch-001/commit') return effect(signal);
        noteEffect(options.effectsDir, `${options.name} ${run} hangs`);
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
        return effect(signal);
      })) as typeof steps.run,
  };
  await flow(run, hanging);
};

const worker = await startWorker({
  ...engine,
  clock,
  logger: silentLogger,
  handlers: {
    'advance-run': options.mode === 'hang-in-commit' ? hang : flow,
    'settle-run': async () => {},
    'handle-delivery': async () => {},
  },
  limits: { concurrency: 2, perInstallation: 2 },
  observe: killOnceAtEachPoint(options.effectsDir, options.killIn),
});

const close = async (): Promise<void> => {
  await worker.stop();
  await engine.queue.close();
  await database.close();
};
process.once('SIGTERM', () => void close().then(() => process.exit(0)));

const watch = setInterval(() => void look(request.id), 100);
async function look(run: RunId): Promise<void> {
  const view = await engine.store.load(run);
  if (view !== null && hasEnded(view.state)) settled.resolve();
}
await settled.promise;
clearInterval(watch);
await close();
