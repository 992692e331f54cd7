import type { RunId } from '../domain/ids.ts';
import type { Intent } from '../database/run-store.ts';
import type { StopReason } from './settle-error.ts';

/** A job that is being worked on in this process. */
export interface RunningJob {
  readonly kind: Intent['kind'];
  readonly run: RunId;
  stop(reason: StopReason): void;
}

/** Those who may have to stop a job find it here. */
export interface RunningJobs {
  /** Answers how to take it out again. */
  add(job: RunningJob): () => void;
  list(): readonly RunningJob[];
  /** Stops all of them, and each that is still added: it was taken from the queue before. */
  drain(): void;
}

export function createRunningJobs(): RunningJobs {
  const jobs = new Set<RunningJob>();
  let draining = false;
  return {
    add: (job) => {
      jobs.add(job);
      if (draining) job.stop('draining');
      return () => void jobs.delete(job);
    },
    list: () => [...jobs],
    drain: () => {
      draining = true;
      for (const job of jobs) job.stop('draining');
    },
  };
}
