/**
 * Every bench, one after the other, each in a process of its own: `npm run bench [-- --quick]`. Prints Markdown for `bench/README.md`;
 * what it is doing goes to standard error. `--quick` only shows that the benches work: its figures mean nothing.
 */
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { postgresPrograms } from '../test/support/postgres.ts';
import type { DeliveryFigures } from './deliveries.ts';
import type { IdleFigures } from './idle-memory.ts';
import type { Acknowledgement } from './load/offer-deliveries.ts';
import type { SandboxFigures } from './sandbox-start.ts';

interface Bench {
  readonly what: string;
  readonly command: readonly string[];
  /** One line for a person; the bench has printed its figures as a line of JSON. */
  readonly tell: (json: string) => string;
  readonly needsPostgres: boolean;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BENCH_TIMEOUT_MS = 10 * 60_000;

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const quick = values.quick;

const rows: string[] = [];
for (const bench of listBenches()) {
  const loadBefore = loadAverage();
  process.stderr.write(`${bench.what} …\n`);
  const result = await measure(bench);
  const cells = [bench.what, result, loadBefore, `\`node ${bench.command.join(' ')}\``];
  rows.push(`| ${cells.join(' | ')} |`);
}
process.stdout.write(`${[await describeMachine(), '', ...tableHead(), ...rows].join('\n')}\n`);

function listBenches(): readonly Bench[] {
  const seconds = quick ? '2' : '20';
  const deliveries = (database: string, perSecond: string): Bench => ({
    what: `Answering deliveries on ${nameOf(database)}`,
    command: ['bench/deliveries.ts', '--database', database, '--per-second', perSecond, '--seconds', seconds],
    tell: (json) => tellDeliveries(JSON.parse(json) as DeliveryFigures),
    needsPostgres: database === 'postgres',
  });
  const idle = (database: string): Bench => ({
    what: `Idle memory on ${nameOf(database)}`,
    command: ['bench/idle-memory.ts', '--database', database, '--seconds', quick ? '1' : '10'],
    tell: (json) => tellIdle(JSON.parse(json) as IdleFigures),
    needsPostgres: database === 'postgres',
  });
  return [
    deliveries('pglite', quick ? '5' : '50'),
    deliveries('postgres', quick ? '5' : '200'),
    idle('pglite'),
    idle('postgres'),
    {
      what: 'Starting a sandboxed command',
      command: ['bench/sandbox-start.ts'],
      tell: (json) => tellSandbox(JSON.parse(json) as SandboxFigures),
      needsPostgres: false,
    },
  ];
}

function nameOf(database: string): string {
  return database === 'postgres' ? 'PostgreSQL' : 'PGlite';
}

async function measure(bench: Bench): Promise<string> {
  if (bench.needsPostgres && postgresPrograms === null) return '**not measured**: PostgreSQL is not installed';
  const ran = await execa(process.execPath, [...bench.command], {
    cwd: ROOT,
    stdin: 'ignore',
    stderr: ['pipe', 'inherit'],
    reject: false,
    timeout: BENCH_TIMEOUT_MS,
  });
  if (!ran.failed) return bench.tell(ran.stdout);
  process.exitCode = 1;
  return `**not measured**: ${ran.timedOut ? 'took too long' : `ended with ${ran.exitCode ?? ran.signal}`}`;
}

function tellDeliveries(figures: DeliveryFigures): string {
  const { bot, bare, perSecond, seconds, handledShare, cores, peakMb } = figures;
  const ratio = (ofBot: number, ofBare: number) => (ofBare > 0 ? (ofBot / ofBare).toFixed(1) : 'unknown');
  const parts = [
    `${perSecond}/s for ${seconds} s: ${tellTimes(bot)}`,
    `only checking the signature: ${tellTimes(bare)}`,
    `bot to that: ${ratio(bot.p50Ms, bare.p50Ms)} × (p50), ${ratio(bot.p99Ms, bare.p99Ms)} × (p99)`,
    `${Math.round(handledShare * 100)} % handled when the load ended, ${cores} cores, peak ${peakMb} MB`,
  ];
  return parts.join('<br>');
}

function tellTimes({ answered, failed, p50Ms, p95Ms, p99Ms, maxMs }: Acknowledgement): string {
  const failures = failed === 0 ? '' : `, **${failed} failed**`;
  return `p50 ${p50Ms}, p95 ${p95Ms}, **p99 ${p99Ms}**, max ${maxMs} ms (${answered} answered${failures})`;
}

function tellIdle({ seconds, idleMb, peakMb, idleCores }: IdleFigures): string {
  return `**${idleMb} MB** resident after ${seconds} s, ${idleCores} cores; peak while starting ${peakMb} MB`;
}

function tellSandbox({ bareSpawn, bubblewrap, unsandboxed }: SandboxFigures): string {
  return `bubblewrap **${bubblewrap.medianMs} ms**, none ${unsandboxed.medianMs} ms, bare spawn ${bareSpawn.medianMs} ms (medians)`;
}

function tableHead(): readonly string[] {
  return ['| what | result | load before | command |', '| --- | --- | --- | --- |'];
}

async function describeMachine(): Promise<string> {
  const cores = os.availableParallelism();
  const gigabytes = Math.round(os.totalmem() / 2 ** 30);
  const commit = (await execa('git', ['describe', '--always', '--dirty', '--exclude=*'], { cwd: ROOT, reject: false }))
    .stdout;
  const versions = [
    `refactor-bot ${commit || 'of no repository'}`,
    `Node ${process.versions.node}`,
    `PGlite ${await versionOf('@electric-sql/pglite')}`,
    `pg-boss ${await versionOf('pg-boss')}`,
    await postgresVersion(),
  ];
  const machine = `${os.type()} ${os.release()}, ${os.cpus()[0]?.model ?? 'unknown processor'}, ${cores} cores, ${gigabytes} GB`;
  const warning = quick ? '\n\n**`--quick`: these figures show that the benches work, and nothing else.**' : '';
  return `${new Date().toISOString().slice(0, 10)}: ${machine}.\n${versions.join(', ')}.${warning}`;
}

/** Over the last minute; a bench that begins on a busy machine measures the machine. */
function loadAverage(): string {
  return (os.loadavg()[0] ?? 0).toFixed(1);
}

async function versionOf(dependency: string): Promise<string> {
  const manifest = await readFile(path.join(ROOT, 'node_modules', dependency, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

async function postgresVersion(): Promise<string> {
  if (postgresPrograms === null) return 'PostgreSQL not installed';
  const { stdout } = await execa(path.join(postgresPrograms, 'postgres'), ['--version']);
  return `PostgreSQL ${/[\d.]+/.exec(stdout)?.[0] ?? 'of unknown version'}`;
}
