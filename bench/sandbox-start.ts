/**
 * What starting a command in the sandbox costs over a bare spawn: median (and least) of 20 runs of /bin/true, in milliseconds.
 * `node bench/sandbox-start.ts`; prints one JSON line.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSandboxBench } from '../test/support/sandbox-drivers.ts';

const RUNS = 20;

async function measure(
  action: () => Promise<unknown>,
): Promise<{ readonly medianMs: number; readonly leastMs: number }> {
  await action();
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const startedAt = performance.now();
    await action();
    times.push(performance.now() - startedAt);
  }
  times.sort((left, right) => left - right);
  return { medianMs: round(times[RUNS / 2] ?? 0), leastMs: round(times[0] ?? 0) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const bareSpawn = await measure(() => once(spawn('/bin/true', { stdio: ['ignore', 'pipe', 'pipe'] }), 'close'));
const figures: Record<string, unknown> = { bareSpawn };
for (const driver of ['bubblewrap', 'unsandboxed'] as const) {
  const bench = await openSandboxBench(driver);
  figures[driver] = await measure(() => bench.run('', { argv: ['/bin/true'] }));
  await bench.remove();
}
process.stdout.write(`${JSON.stringify(figures)}\n`);
