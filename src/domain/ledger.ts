import type { BatchId, CommitId, PlanHash, TreeId } from './ids.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { DiffStat } from './patch.ts';
import type { Environment } from './verdict.ts';
import type { ErrorCategory, ErrorCode } from './errors.ts';
import type { Figures } from './figures.ts';
import type { Plan } from './plan.ts';
import type { RunRequest, RunState } from './run.ts';

/** What one check did, as the ledger keeps it: the full results are stored by content hash. */
export interface CheckSummary {
  readonly command: string;
  readonly outcome: 'passed' | 'failed' | 'timed-out' | 'not-run';
  readonly durationMs: number;
  /** Null when no per-test report could be read. */
  readonly tests: { readonly passed: number; readonly failed: number; readonly skipped: number } | null;
}

/** Why an attempt ended without a checkpoint. `reasons` are what the next attempt is told. */
export interface AttemptFailure {
  readonly stage: 'propose' | 'review' | 'verify' | 'improve';
  readonly reasons: readonly string[];
}

/**
 * Everything a run did, in order: enough to resume it, audit it and render its report. A persisted format: a field is never
 * renamed or given another meaning; new kinds of event are added. Events carry no secret and no file content.
 */
export type LedgerEvent =
  | { readonly type: 'run-requested'; readonly request: RunRequest }
  | { readonly type: 'state-entered'; readonly state: RunState }
  | { readonly type: 'prepared'; readonly baseCommit: CommitId; readonly branch: string; readonly backupBytes: number }
  | {
      readonly type: 'baseline-recorded';
      readonly green: boolean;
      readonly environment: Environment;
      readonly checks: readonly CheckSummary[];
      readonly knownFailures: number;
      readonly flaky: readonly string[];
    }
  | { readonly type: 'indexed'; readonly figures: Figures; readonly files: number; readonly findings: number }
  | { readonly type: 'planned'; readonly plan: Plan }
  | {
      readonly type: 'approved';
      readonly by: string;
      readonly planHash: PlanHash;
      /** Ordinals of the batches that were approved; null for all. */
      readonly only: readonly number[] | null;
    }
  | {
      readonly type: 'attempt-failed';
      readonly batch: BatchId;
      readonly attempt: number;
      readonly failure: AttemptFailure;
    }
  | { readonly type: 'batch-kept'; readonly checkpoint: Checkpoint; readonly checks: readonly CheckSummary[] }
  | { readonly type: 'batch-failed'; readonly batch: BatchId; readonly attempts: number; readonly reason: string }
  | { readonly type: 'batch-skipped'; readonly batch: BatchId; readonly reason: string }
  | { readonly type: 'batch-noop'; readonly batch: BatchId; readonly reason: string }
  | {
      readonly type: 'fully-verified';
      readonly tree: TreeId;
      readonly passed: boolean;
      readonly checks: readonly CheckSummary[];
    }
  | {
      readonly type: 'batches-dropped';
      readonly batches: readonly BatchId[];
      readonly reason: string;
    }
  /** The last word on the branch: what a reader of the pull request is told. */
  | { readonly type: 'measured'; readonly head: CommitId; readonly figures: Figures; readonly stat: DiffStat }
  | { readonly type: 'pull-request-opened'; readonly number: number; readonly url: string }
  | { readonly type: 'accepted'; readonly by: string; readonly mergeCommit: string | null }
  | { readonly type: 'rejected'; readonly by: string; readonly words: string }
  | { readonly type: 'completed'; readonly why: 'nothing-to-do' | 'nothing-kept'; readonly message: string }
  | { readonly type: 'cancelled'; readonly by: string }
  | {
      readonly type: 'failed';
      readonly code: ErrorCode;
      readonly category: ErrorCategory;
      readonly message: string;
      /** Output tail of the command that failed, for a red baseline; else empty. */
      readonly evidence: string;
    };

/** An event as it is stored. `seq` counts from 1 within the run; `version` is the format's. */
export interface LedgerRecord {
  readonly seq: number;
  readonly version: 1;
  readonly at: string;
  readonly event: LedgerEvent;
}
