import type { EngineStore, JobAttempt } from '../database/engine-store.ts';
import { BotError } from '../domain/errors.ts';
import type { RunId } from '../domain/ids.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { StepResult, Steps } from './durable-step.ts';

/** A place in the life of a step at which a test may end the process, or a bench look at the clock. */
export interface StepPoint {
  readonly run: RunId;
  readonly step: string;
  readonly moment: 'before' | 'after-effect' | 'recorded';
}
export type ObserveStep = (point: StepPoint) => void | Promise<void>;

export interface StepsOptions {
  readonly store: Pick<EngineStore, 'readStep' | 'recordStep'>;
  readonly run: RunId;
  readonly job: JobAttempt;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly observe?: ObserveStep | undefined;
  /** Another worker has the run now. */
  readonly onLost: () => void;
  /** The run got further. */
  readonly onRecorded: () => void;
}

export function createSteps(options: StepsOptions): Steps {
  return { signal: options.signal, run: (name, effect) => runStep(options, name, effect) };
}

async function runStep<Output>(
  options: StepsOptions,
  name: string,
  effect: (signal: AbortSignal) => Promise<StepResult<Output>>,
): Promise<Output> {
  const { store, run, signal } = options;
  signal.throwIfAborted();
  const recorded = await store.readStep(run, name);
  if (recorded !== null) return recorded.output as Output;

  const observe = async (moment: StepPoint['moment']) => options.observe?.({ run, step: name, moment });
  await observe('before');
  const startedAt = performance.now();
  const result = await effect(signal);
  await observe('after-effect');
  const output = throughJson(result.output);
  const written = await store.recordStep(run, options.job, { name, output, events: result.events ?? [] });
  if (!written) {
    options.onLost();
    throw new BotError(
      'invariant-broken',
      `Another worker has taken over run ${run} before its step ${name} was recorded.`,
    );
  }
  options.onRecorded();
  options.logger.debug({ step: name, durationMs: Math.round(performance.now() - startedAt) }, 'step recorded');
  await observe('recorded');
  return output;
}

/** The first time, too, a step answers what a repeat would read: no code can come to depend on a value that JSON loses. */
function throughJson<Output>(output: Output): Output {
  return JSON.parse(JSON.stringify(output ?? null)) as Output;
}
