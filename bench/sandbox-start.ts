/**
 * What starting a command in the sandbox costs over a bare spawn: median (and least) of 20 runs of /bin/true, in milliseconds.
 * `node bench/sandbox-start.ts`; prints one JSON line.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSandboxBench } from '../test/support/sandbox-drivers.ts';

const RUNS = 20;

interface StartTimes {
  readonly medianMs: number;
  readonly leastMs: number;
}

export interface SandboxFigures {
  readonly bareSpawn: StartTimes;
  readonly bubblewrap: StartTimes;
  readonly unsandboxed: StartTimes;
}

async function measure(action: () => Promise<unknown>): Promise<StartTimes> {
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
const figures: SandboxFigures = {
  bareSpawn,
  bubblewrap: await measureDriver('bubblewrap'),
  unsandboxed: await measureDriver('unsandboxed'),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);

async function measureDriver(driver: 'bubblewrap' | 'unsandboxed'): Promise<StartTimes> {
  const bench = await openSandboxBench(driver);
  try {
    return await measure(() => bench.run('', { argv: ['/bin/true'] }));
  } finally {
    await bench.remove();
  }
}
