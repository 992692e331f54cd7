import type { Claim, EngineStore, JobAttempt, Release } from '../database/engine-store.ts';
import type { Intent } from '../database/run-store.ts';
import { cancelledBy, failedWith } from '../domain/endings.ts';
import { BotError, isAbort, toBotError } from '../domain/errors.ts';
import type { RunId } from '../domain/ids.ts';
import { hasEnded, isActive } from '../domain/run.ts';
import type { RunView } from '../domain/run-view.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Steps } from './durable-step.ts';
import type { RunningJob, RunningJobs } from './running-jobs.ts';
import { createSteps, type ObserveStep } from './run-steps.ts';
import { settleError, type Settlement, type StopReason } from './settle-error.ts';

export type RunHandler = (run: RunId, steps: Steps) => Promise<void>;

/** Half of what the queue allows a job (`open-queue.ts`): a run that takes longer goes on as another job. */
const HAND_ON_AFTER_MS = 12 * 60 * 60_000;
/** A run that keeps ending its process is ended itself, before it takes every other run with it for ever. */
const MOST_UNFINISHED_CLAIMS = 10;

export interface RunJob {
  readonly intent: Intent;
  readonly attempt: JobAttempt;
  readonly failures: number;
  /** Aborted by the queue when it has given the job to somebody else. */
  readonly lost: AbortSignal;
}

export interface RunJobContext {
  readonly store: EngineStore;
  readonly handlers: Readonly<Record<Intent['kind'], RunHandler>>;
  readonly running: RunningJobs;
  readonly logger: Logger;
  readonly observe?: ObserveStep | undefined;
}

/** Works on one job of a run to its end: done, put off, failed, cancelled, or given away. Throws only when the database does. */
export async function runJob(context: RunJobContext, job: RunJob): Promise<void> {
  const { kind, run } = job.intent;
  // A job is only a hint to look: what there is to do is in the ledger. Late and repeated ones find nothing.
  const claim = await context.store.claim(run, job.attempt, (state) => (kind === 'advance-run') === isActive(state));
  if (claim === null) return;
  const work = startWork(job);
  const remove = context.running.add(work);
  const handOn = setTimeout(() => work.stop('handed-on'), HAND_ON_AFTER_MS);
  try {
    const settlement = await handle(context, { job, work, claim });
    await settle(context, job, settlement);
  } finally {
    clearTimeout(handOn);
    remove();
  }
}

interface Work extends RunningJob {
  readonly signal: AbortSignal;
  stopped: StopReason | null;
  recordedSteps: number;
}

function startWork(job: RunJob): Work {
  const controller = new AbortController();
  const work: Work = {
    ...job.intent,
    signal: controller.signal,
    stopped: null,
    recordedSteps: 0,
    stop: (reason) => {
      work.stopped ??= reason;
      controller.abort(new DOMException(`The work was stopped (${reason}).`, 'AbortError'));
    },
  };
  job.lost.addEventListener('abort', () => work.stop('lost'), { once: true });
  return work;
}

interface Handling {
  readonly job: RunJob;
  readonly work: Work;
  readonly claim: Claim;
}

/** Null when the handler came to its end. */
async function handle(context: RunJobContext, { job, work, claim }: Handling): Promise<Settlement | null> {
  const { kind, run } = job.intent;
  const logger = context.logger.child({ run, job: kind });
  if (claim.unfinishedClaims > MOST_UNFINISHED_CLAIMS) return { kind: 'fail', error: killedItsWorkers(claim) };
  if (kind === 'advance-run' && claim.cancelRequestedBy !== null) return null;
  const steps = createSteps({
    store: context.store,
    run,
    job: job.attempt,
    signal: work.signal,
    logger,
    observe: context.observe,
    onLost: () => work.stop('lost'),
    onRecorded: () => (work.recordedSteps += 1),
  });
  try {
    await context.handlers[kind](run, steps);
    return null;
  } catch (thrown) {
    const error = toBotError(thrown);
    const failures = work.recordedSteps > 0 ? 0 : job.failures;
    const settlement = settleError(error, { stopped: work.stopped, failures });
    logEnd(logger, { thrown, error, settlement });
    return settlement;
  }
}

async function settle(context: RunJobContext, job: RunJob, settlement: Settlement | null): Promise<void> {
  if (settlement?.kind === 'leave') return;
  const { intent, attempt } = job;
  const releaseOf = intent.kind === 'advance-run' ? releaseAdvance : releaseSettle;
  await context.store.release(intent.run, attempt, (view, cancelRequestedBy) =>
    releaseOf(intent, settlement, { view, cancelRequestedBy }),
  );
}

const NOTHING: Release = { events: [], intents: [], again: null };

interface Now {
  readonly view: RunView;
  readonly cancelRequestedBy: string | null;
}

function releaseAdvance(intent: Intent, settlement: Exclude<Settlement, { kind: 'leave' }> | null, now: Now): Release {
  const settleRun: Intent = { kind: 'settle-run', run: intent.run };
  if (hasEnded(now.view.state)) return NOTHING;
  if (now.cancelRequestedBy !== null) {
    return { events: cancelledBy(now.cancelRequestedBy), intents: [settleRun], again: null };
  }
  if (settlement?.kind === 'again') {
    return { ...NOTHING, again: { intent, afterMs: settlement.afterMs, failures: settlement.failures } };
  }
  if (settlement?.kind === 'fail') return { events: failedWith(settlement.error), intents: [settleRun], again: null };
  // A run that stays active without a job would hold its repository for ever.
  if (isActive(now.view.state)) {
    const error = new BotError(
      'invariant-broken',
      `The flow of run ${intent.run} came to an end in ${now.view.state}.`,
    );
    return { events: failedWith(error), intents: [settleRun], again: null };
  }
  return NOTHING;
}

/** A run that has ended cannot fail any more: what could not be tidied up is in the log. */
function releaseSettle(intent: Intent, settlement: Exclude<Settlement, { kind: 'leave' }> | null, now: Now): Release {
  // Asked for while the last step was recorded: the job that worked on the run has no say any more.
  if (!hasEnded(now.view.state) && now.cancelRequestedBy !== null) {
    return { events: cancelledBy(now.cancelRequestedBy), intents: [intent], again: null };
  }
  if (settlement?.kind !== 'again') return NOTHING;
  return { ...NOTHING, again: { intent, afterMs: settlement.afterMs, failures: settlement.failures } };
}

function killedItsWorkers(claim: Claim): BotError {
  return new BotError(
    'invariant-broken',
    `Run ${claim.view.id} ended its process ${claim.unfinishedClaims - 1} times in a row at the same place.`,
  );
}

function logEnd(
  logger: Logger,
  end: { readonly thrown: unknown; readonly error: BotError; readonly settlement: Settlement },
): void {
  const { error, settlement } = end;
  const fields = { code: error.code, category: error.category, settlement: settlement.kind };
  if (settlement.kind === 'leave' || isAbort(end.thrown)) logger.info(fields, 'run stopped');
  else if (error.category === 'bug' || error.category === 'operator')
    logger.error({ ...fields, err: error }, 'run needs a person');
  else logger.warn({ ...fields, err: error }, 'run met an error');
}
