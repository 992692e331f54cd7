import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEvent } from '../../src/domain/ledger.ts';
import type { RunHandler } from '../../src/engine/run-job.ts';
import type { ObserveStep } from '../../src/engine/run-steps.ts';
import { entered } from './toy-engine.ts';

interface ToyStep {
  readonly name: string;
  readonly events: readonly LedgerEvent[];
}

/** One step for each state, and two without events, as the real flow has them. */
export const TOY_STEPS: readonly ToyStep[] = [
  { name: 'prepare', events: entered('baseline') },
  { name: 'baseline', events: entered('indexing') },
  { name: 'index', events: entered('planning') },
  { name: 'plan', events: entered('executing') },
  { name: 'batch/batch-001/attempt/1/propose', events: [] },
  { name: 'batch/batch-001/commit', events: [] },
  { name: 'verify', events: entered('finalizing') },
  {
    name: 'end',
    events: [
      { type: 'completed', why: 'nothing-kept', message: 'A toy keeps nothing.' },
      { type: 'state-entered', state: 'completed' },
    ],
  },
];

/** Each effect writes a line to `<directory>/effects` before it sets its (idempotent) mark. */
export function toyFlow(directory: string, worker: string): RunHandler {
  return async (run, steps) => {
    for (const step of TOY_STEPS) {
      await steps.run(step.name, async () => {
        noteEffect(directory, `${worker} ${run} ${step.name}`);
        writeFileSync(join(directory, `mark-${run}-${step.name.replaceAll('/', '_')}`), 'done');
        return { output: { step: step.name }, events: step.events };
      });
    }
  };
}

export function noteEffect(directory: string, line: string): void {
  appendFileSync(join(directory, 'effects'), `${line}\n`, { flush: true });
}

/** Lines of all workers, in order. */
export function effectsIn(directory: string): readonly string[] {
  const file = join(directory, 'effects');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}

/** Kills this process the first time it comes to each point of these steps, once for the life of the directory. */
export function killOnceAtEachPoint(directory: string, steps: readonly string[]): ObserveStep {
  return ({ run, step, moment }) => {
    if (!steps.includes(step)) return;
    const mark = join(directory, `killed-${run}-${step.replaceAll('/', '_')}-${moment}`);
    if (existsSync(mark)) return;
    writeFileSync(mark, '', { flush: true });
    process.kill(process.pid, 'SIGKILL');
  };
}
