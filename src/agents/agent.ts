import type { Baseline } from '../domain/verdict.ts';
import type { AttemptFailure } from '../domain/ledger.ts';
import type { Batch } from '../domain/plan.ts';
import type { Patch } from '../domain/patch.ts';
import type { RunId, TreeId } from '../domain/ids.ts';
import type { RunOptions } from '../domain/options.ts';
import type { Workspace } from '../domain/workspace.ts';

/** What an agent is asked: one patch for one batch against one tree. `failures` are the earlier attempts, oldest first. */
export interface ProposalRequest {
  readonly run: RunId;
  readonly batch: Batch;
  /** Counts from 1. */
  readonly attempt: number;
  readonly failures: readonly AttemptFailure[];
  /** The tree the patch must apply to; the workspace's checkout holds exactly it. */
  readonly tree: TreeId;
  readonly workspace: Workspace;
  readonly environment: Baseline['environment'];
  readonly options: RunOptions;
}

export type AgentOutput =
  | { readonly kind: 'patch'; readonly patch: Patch }
  /** Nothing worth changing after all: recorded and passed over. */
  | { readonly kind: 'noop'; readonly reason: string }
  /** It cannot be done as asked: counts as failed. */
  | { readonly kind: 'blocked'; readonly reason: string }
  /** No usable answer: this attempt is spent. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Proposes a patch for one batch. Never applies anything. Aborting `signal` kills its processes and rejects with an AbortError. */
export interface Agent {
  readonly name: 'mechanical' | 'replay' | 'claude-code';
  propose(request: ProposalRequest, signal: AbortSignal): Promise<AgentOutput>;
}
