import type { Choices } from '../../src/compose.ts';
import type { ObserveStep } from '../../src/engine/run-steps.ts';

/** What waits for others than the loop: package registries, the repository's own checks, the mechanical engine. */
type OutsideWork = 'install' | 'checks' | 'engine';

export interface StageTime {
  /** `baseline`, `propose`, `verify` …: the last part of the step's name. */
  readonly stage: string;
  readonly steps: number;
  /** The stage's own time, without the work that is counted apart. */
  readonly ownMs: number;
  readonly installMs: number;
  readonly checksMs: number;
  readonly engineMs: number;
}

export interface Timing {
  /** From the first step to the pull request (or to the last step, without one). */
  readonly wallMs: number;
  readonly installMs: number;
  readonly checksMs: number;
  readonly engineMs: number;
  /** Everything else: cloning, syncing, measuring, reviewing, committing, pushing, talking to the host, recording. */
  readonly loopMs: number;
  readonly stages: readonly StageTime[];
}

export interface Stopwatch {
  readonly observe: ObserveStep;
  readonly wrapPorts: NonNullable<Choices['wrapPorts']>;
  read(): Timing;
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** Looks at the clock around each durable step, and around each call that leaves the loop. One run at a time. */
export function createStopwatch(): Stopwatch {
  const stages = new Map<string, Mutable<StageTime>>();
  const outside: Record<OutsideWork, number> = { install: 0, checks: 0, engine: 0 };
  let current: { readonly stage: Mutable<StageTime>; readonly startedAt: number; outsideMs: number } | null = null;
  let firstAt: number | null = null;
  let lastAt = 0;

  const stageOf = (step: string): Mutable<StageTime> => {
    const last = step.split('/').at(-1) ?? step;
    // The whole branch is verified under the id of its tree.
    const name = /^[0-9a-f]{40}$/.test(last) ? 'verify the branch' : last;
    const known = stages.get(name);
    if (known !== undefined) return known;
    const stage = { stage: name, steps: 0, ownMs: 0, installMs: 0, checksMs: 0, engineMs: 0 };
    stages.set(name, stage);
    return stage;
  };

  const timed = async <Answer>(work: OutsideWork, call: () => Promise<Answer>): Promise<Answer> => {
    const startedAt = performance.now();
    try {
      return await call();
    } finally {
      const spentMs = performance.now() - startedAt;
      outside[work] += spentMs;
      // A step that fails is never recorded; the run ended no earlier than its work.
      lastAt = performance.now();
      if (current !== null) {
        current.stage[`${work}Ms`] += spentMs;
        current.outsideMs += spentMs;
      }
    }
  };

  return {
    observe: ({ step, moment }) => {
      const now = performance.now();
      firstAt ??= now;
      if (moment === 'before') current = { stage: stageOf(step), startedAt: now, outsideMs: 0 };
      if (moment !== 'recorded' || current === null) return;
      current.stage.steps += 1;
      current.stage.ownMs += now - current.startedAt - current.outsideMs;
      current = null;
      lastAt = now;
    },
    wrapPorts: (ports) => ({
      ...ports,
      agent: { ...ports.agent, propose: (...given) => timed('engine', () => ports.agent.propose(...given)) },
      operations: {
        detect: (...given) => timed('engine', () => ports.operations.detect(...given)),
        apply: (...given) => timed('engine', () => ports.operations.apply(...given)),
      },
      sandbox: {
        ...ports.sandbox,
        run: (spec, signal) =>
          timed(spec.network.mode === 'allow' ? 'install' : 'checks', () => ports.sandbox.run(spec, signal)),
      },
    }),
    read: () => {
      const wallMs = firstAt === null ? 0 : lastAt - firstAt;
      return {
        wallMs,
        installMs: outside.install,
        checksMs: outside.checks,
        engineMs: outside.engine,
        loopMs: wallMs - outside.install - outside.checks - outside.engine,
        stages: [...stages.values()].map((stage) => ({ ...stage })),
      };
    },
  };
}
