import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/database/open-database.ts';
import type { LedgerEvent } from '../../src/domain/ledger.ts';
import type { TrustedPath } from '../../src/domain/workspace.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { postgresPrograms, startPostgres, type PostgresCluster } from '../support/postgres.ts';
import { silentLogger, steppingClock } from '../support/toy-engine.ts';
import { effectsIn, TOY_STEPS } from '../support/toy-flow.ts';
import type { ToyWorkerOptions } from '../support/toy-worker.ts';

const PROGRAM = join(import.meta.dirname, '../support/toy-worker.ts');
const MOMENTS = 3;

let root = '';
const children: ChildProcess[] = [];
let cluster: PostgresCluster | null = null;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'refactor-bot-recovery-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  await cluster?.stop();
  cluster = null;
  rmSync(root, { recursive: true, force: true });
});

const optionsFor = (more: Partial<ToyWorkerOptions>): ToyWorkerOptions => {
  const effectsDir = join(root, 'effects');
  mkdirSync(effectsDir, { recursive: true });
  return {
    name: 'worker',
    url: null,
    databaseDir: join(root, 'database'),
    effectsDir,
    repository: 'toy',
    mode: 'through',
    killIn: [],
    ...more,
  };
};

function start(options: ToyWorkerOptions): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function ended(child: ChildProcess): Promise<string | number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.signalCode ?? child.exitCode;
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal ?? code;
}

const lineOf = (child: ChildProcess, line: string) =>
  new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (data: Buffer) => data.toString().includes(line) && resolve());
    child.once('exit', (code) => reject(new Error(`The worker ended with ${String(code)} before it said "${line}".`)));
  });

/** How often the effect of each step began, by whom. */
function startsOf(options: ToyWorkerOptions): Record<string, string[]> {
  const starts: Record<string, string[]> = {};
  for (const line of effectsIn(options.effectsDir)) {
    const [worker = '', , step = ''] = line.split(' ');
    (starts[step] ??= []).push(worker);
  }
  return starts;
}

/** The events of the one run, without times. */
async function eventsOf(options: ToyWorkerOptions): Promise<readonly LedgerEvent[]> {
  const database = await openDatabase({
    url: options.url,
    directory: options.databaseDir as TrustedPath,
    logger: silentLogger,
  });
  const engine = await openEngine({ database, clock: steppingClock(), logger: silentLogger });
  try {
    const [run] = await engine.store.runsOf('acme/toy');
    if (run === undefined) throw new Error('There is no run.');
    const ledger = await engine.store.ledger(run.id);
    return ledger.map((record) => record.event);
  } finally {
    await engine.queue.close();
    await database.close();
  }
}

async function runKilledEverywhere(options: ToyWorkerOptions): Promise<number> {
  let kills = 0;
  for (;;) {
    const end = await ended(start(options));
    if (end === 0) return kills;
    expect(end).toBe('SIGKILL');
    kills += 1;
  }
}

const KINDS = postgresPrograms === null ? (['pglite'] as const) : (['pglite', 'postgres'] as const);

/**
 * The first and the last, one with events and one without. On PostgreSQL each kill costs the silence after which a job is taken
 * from its worker, so one step stands for all.
 */
const KILLED_STEPS = {
  pglite: ['prepare', 'plan', 'batch/batch-001/commit', 'end'],
  postgres: ['batch/batch-001/commit'],
};

describe.each(KINDS)('RUN-10: kill -9 on %s', (kind) => {
  test('before, within and behind a step leaves the ledger of a run that was never killed', async () => {
    if (kind === 'postgres') cluster = await startPostgres();
    const killIn = KILLED_STEPS[kind];
    const options = optionsFor({ url: cluster?.url ?? null, killIn });
    expect(await runKilledEverywhere(options)).toBe(killIn.length * MOMENTS);
    for (const { name } of TOY_STEPS) {
      expect(startsOf(options)[name], name).toHaveLength(killIn.includes(name) ? 2 : 1);
    }
    const events = await eventsOf(options);
    expect(events.slice(2)).toEqual(TOY_STEPS.flatMap((step) => step.events));
  }, 300_000);
});

describe('one data directory', () => {
  test('is refused to a second process and taken over from a dead one', async () => {
    const options = optionsFor({ mode: 'only-open' });
    const first = start(options);
    await lineOf(first, 'open');
    const second = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(options)]).catch(
      (error: { stderr: string }) => error,
    );
    expect(second.stderr).toContain(`in use by process ${first.pid}`);
    expect(second.stderr).toContain('DATABASE_URL');

    first.kill('SIGKILL');
    await ended(first);
    expect(existsSync(`${options.databaseDir}.lock`)).toBe(true);
    const third = start(options);
    await lineOf(third, 'open');
  });
});

describe('a worker that is asked to end', () => {
  test('leaves its run where another goes on', async () => {
    const options = optionsFor({ mode: 'hang-in-commit' });
    const first = start(options);
    await vi.waitFor(() => expect(startsOf(options)['hangs']).toHaveLength(1), { timeout: 60_000 });
    first.kill('SIGTERM');
    expect(await ended(first)).toBe(0);
    expect(existsSync(`${options.databaseDir}.lock`)).toBe(false);

    expect(await ended(start({ ...options, name: 'next', mode: 'through' }))).toBe(0);
    expect(startsOf(options)['prepare']).toEqual(['worker']);
    expect(startsOf(options)['batch/batch-001/commit']).toEqual(['next']);
    expect((await eventsOf(options)).at(-1)).toEqual({ type: 'state-entered', state: 'completed' });
  });
});

describe.skipIf(postgresPrograms === null)('two workers on one PostgreSQL', () => {
  test('the living one finishes what the killed one began', async () => {
    cluster = await startPostgres();
    const options = optionsFor({ url: cluster.url });
    const doomed = start({ ...options, name: 'doomed', mode: 'hang-in-commit' });
    await vi.waitFor(() => expect(startsOf(options)['hangs']).toEqual(['doomed']), { timeout: 60_000 });
    const survivor = start({ ...options, name: 'survivor' });
    await lineOf(survivor, 'open');
    doomed.kill('SIGKILL');

    expect(await ended(survivor)).toBe(0);
    expect(startsOf(options)['prepare']).toEqual(['doomed']);
    expect(startsOf(options)['batch/batch-001/commit']).toEqual(['survivor']);
    expect((await eventsOf(options)).at(-1)).toEqual({ type: 'state-entered', state: 'completed' });
  });
});
