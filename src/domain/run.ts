import type { RepositoryRef } from './repository.ts';
import type { RunId } from './ids.ts';

export const RUN_STATES = [
  'queued',
  'preparing',
  'baseline',
  'indexing',
  'planning',
  'awaiting_approval',
  'executing',
  'finalizing',
  'in_review',
  'accepted',
  'rejected',
  'completed',
  'failed',
  'cancelled',
] as const;
export type RunState = (typeof RUN_STATES)[number];

/** The one transition table; a change outside it is a bug error. From every live state a run may also fail or be cancelled. */
const NEXT_STATES: Readonly<Record<RunState, readonly RunState[]>> = {
  queued: ['preparing'],
  preparing: ['baseline'],
  baseline: ['indexing', 'completed'],
  indexing: ['planning', 'completed'],
  planning: ['awaiting_approval', 'executing', 'completed'],
  awaiting_approval: ['executing'],
  executing: ['finalizing'],
  finalizing: ['in_review', 'completed'],
  in_review: ['accepted', 'rejected'],
  accepted: [],
  rejected: [],
  completed: [],
  failed: [],
  cancelled: [],
};

const ENDED: ReadonlySet<RunState> = new Set(['accepted', 'rejected', 'completed', 'failed', 'cancelled']);
/** A waiting run holds no job, no slot and no worker. */
const WAITING: ReadonlySet<RunState> = new Set(['awaiting_approval', 'in_review']);

export function hasEnded(state: RunState): boolean {
  return ENDED.has(state);
}

/** Active runs hold their repository: one at a time, from `preparing` to `finalizing`. */
export function isActive(state: RunState): boolean {
  return !ENDED.has(state) && !WAITING.has(state) && state !== 'queued';
}

export function mayFollow(from: RunState, to: RunState): boolean {
  if (NEXT_STATES[from].includes(to)) return true;
  return !ENDED.has(from) && (to === 'failed' || to === 'cancelled');
}

/** How a run was asked for. `plan` always waits for approval; `run` and the label follow the `approval` option. */
export type RunTrigger = 'label' | 'plan-command' | 'run-command';

/** What was asked, by whom, where: fixed when the run is recorded. */
export interface RunRequest {
  readonly id: RunId;
  readonly repository: RepositoryRef;
  readonly trigger: RunTrigger;
  /** The request issue (or pull request) that is answered. */
  readonly issueNumber: number;
  /** Login of the person; their permission was asked from the host at that moment. */
  readonly requestedBy: string;
  /** Title and body of the issue, or the words behind the command. Untrusted data. */
  readonly request: string;
  /** Comment that carried the command, for the reaction; null for a label. */
  readonly commentId: number | null;
  /** ISO 8601, from the Clock. */
  readonly requestedAt: string;
}

/** The work branch of a run: `refactor-bot/20261122-010203-1a2b3c4d`. */
export function workBranch(id: RunId): string {
  return `refactor-bot/${id}`;
}
