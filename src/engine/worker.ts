import type { Job } from 'pg-boss';
import type { Database } from '../database/database.ts';
import type { EngineStore } from '../database/engine-store.ts';
import type { Intent, RunStore } from '../database/run-store.ts';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import { deliverJob, sweepInbox, type DeliveryContext, type DeliveryHandler } from './deliver-jobs.ts';
import { HEARTBEAT_REFRESH_SECONDS, QUEUES, type JobQueue } from './open-queue.ts';
import { poll, type Poll } from './poll.ts';
import { recover } from './recover.ts';
import { runJob, type RunHandler, type RunJobContext } from './run-job.ts';
import { createRunningJobs, type RunningJobs } from './running-jobs.ts';
import type { ObserveStep } from './run-steps.ts';
import type { DeliveryJobData, RunJobData } from './send-jobs.ts';

export interface WorkerOptions {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly store: RunStore;
  readonly engineStore: EngineStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly handlers: Readonly<Record<Intent['kind'], RunHandler>> & { readonly 'handle-delivery': DeliveryHandler };
  readonly limits: {
    /** Runs at a time in this process. */
    readonly concurrency: number;
    /** Runs at a time of one installation, on all hosts together. */
    readonly perInstallation: number;
  };
  readonly observe?: ObserveStep;
}

export interface Worker {
  /** A delivery was stored: look at once. */
  nudge(): void;
  /** Drains: takes no more, aborts what runs, waits for it. Runs go on at their last step, here or elsewhere. */
  stop(): Promise<void>;
}

/** Fetched together: one by one, a worker of the queue takes one job for each poll. */
const DELIVERIES_AT_ONCE = 8;
/** Deliveries that come in a burst are sent on together; for one alone this is the delay nobody notices. */
const INBOX_PAUSE_MS = 100;
const QUEUE_POLL_SECONDS = 1;
const INBOX_POLL_MS = 3_000;
const CANCEL_POLL_MS = 1_000;
const DRAIN_MS = 25_000;

/** Takes up what an earlier process left, then works until it is stopped. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { database, queue, engineStore, logger } = options;
  await recover({ database, queue, store: engineStore, logger });

  const running = createRunningJobs();
  const onError = (err: unknown): void => logger.warn({ err }, 'poll failed');
  const deliveries: DeliveryContext = { ...options, handler: options.handlers['handle-delivery'] };
  const inbox = poll(() => sweepInbox(deliveries), { everyMs: INBOX_POLL_MS, pauseMs: INBOX_PAUSE_MS, onError });
  const cancels = poll(() => stopCancelled(engineStore, running), { everyMs: CANCEL_POLL_MS, pauseMs: 0, onError });

  await takeRunJobs(options, running);
  await takeDeliveryJobs(options, deliveries, cancels);
  return {
    nudge: () => inbox.now(),
    stop: async () => {
      await Promise.all([inbox.stop(), cancels.stop()]);
      await drain(queue, running, logger);
    },
  };
}

async function takeRunJobs(options: WorkerOptions, running: RunningJobs): Promise<void> {
  const { queue, limits, handlers, logger, observe } = options;
  const context: RunJobContext = { store: options.engineStore, handlers, running, logger, observe };
  const handle = async (kind: Intent['kind'], job: Job<RunJobData>): Promise<void> => {
    const { run, failures } = job.data;
    const attempt = { id: job.id, attempt: job.retryCount };
    const work = runJob(context, { intent: { kind, run }, attempt, failures, lost: job.signal });
    await tellFailure(work, logger.child({ run, job: kind }));
  };
  for (const kind of ['advance-run', 'settle-run'] as const) {
    const concurrency = kind === 'advance-run' ? { groupConcurrency: limits.perInstallation } : {};
    await queue.boss.work<RunJobData>(
      kind,
      { ...polling(options), ...concurrency, localConcurrency: limits.concurrency },
      async ([job]) => {
        if (job !== undefined) await handle(kind, job);
      },
    );
  }
}

async function takeDeliveryJobs(options: WorkerOptions, context: DeliveryContext, cancels: Poll): Promise<void> {
  await options.queue.boss.work<DeliveryJobData>(
    'handle-delivery',
    { ...polling(options), batchSize: DELIVERIES_AT_ONCE, burstWhenBatchFull: true },
    async (jobs) => {
      const each = jobs.map((job) => deliverJob(context, { data: job.data, attempt: job.retryCount }));
      await tellFailure(Promise.all(each), options.logger);
      // One may have asked to cancel a run that works in this very process.
      cancels.now();
    },
  );
}

/** The queue tries a job that failed again and says nothing of it: whether it can ever succeed is for a person to see. */
async function tellFailure(work: Promise<unknown>, logger: Logger): Promise<void> {
  try {
    await work;
  } catch (err) {
    logger.error({ err }, 'job failed and is tried again');
    throw err;
  }
}

/** New jobs are announced; the poll is for those whose time has come, or whose group or predecessor made room. */
function polling({ database }: WorkerOptions): {
  readonly pollingIntervalSeconds: number;
  readonly notifyPollingIntervalSeconds: number;
  readonly heartbeatRefreshSeconds?: number;
} {
  const interval = { pollingIntervalSeconds: QUEUE_POLL_SECONDS, notifyPollingIntervalSeconds: QUEUE_POLL_SECONDS };
  return database.kind === 'postgres' ? { ...interval, heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS } : interval;
}

async function stopCancelled(store: EngineStore, running: RunningJobs): Promise<void> {
  const advancing = running.list().filter((job) => job.kind === 'advance-run');
  const requests = await store.cancelRequests(advancing.map((job) => job.run));
  for (const job of advancing) if (requests.has(job.run)) job.stop('cancelled');
}

async function drain(queue: JobQueue, running: RunningJobs, logger: Logger): Promise<void> {
  const ended = Promise.all(QUEUES.map((name) => queue.boss.offWork(name, { wait: true })));
  running.drain();
  const timeout = AbortSignal.timeout(DRAIN_MS);
  const late = new Promise<void>((resolve) => timeout.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([ended, late]);
  if (timeout.aborted) logger.warn({ runs: running.list().map((job) => job.run) }, 'runs did not stop in time');
}
