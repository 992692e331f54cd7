import type { BaselineMode } from './verdict.ts';
import type { MechanicalOperation } from './plan.ts';

/** What one run goes by: defaults, then operator, then the repository's file, then the request; clamped by the operator's caps. */
export interface RunOptions {
  readonly label: string;
  readonly approval: 'auto' | 'required';
  readonly baseline: BaselineMode;
  readonly onBatchFailure: 'skip' | 'stop';
  /** Null: detected from the lock file. */
  readonly install: readonly string[] | null;
  readonly fastVerifier: readonly string[] | null;
  readonly fullVerifier: readonly string[] | null;
  readonly runFullVerifierEvery: number;
  readonly retryPerBatch: number;
  readonly maxBatches: number;
  readonly diffBudgetLines: number;
  readonly scopeIncludes: readonly string[];
  readonly scopeExcludes: readonly string[];
  readonly protectedPaths: readonly string[];
  readonly allowPublicApiChanges: boolean;
  readonly allowWithoutTests: boolean;
  readonly operations: readonly MechanicalOperation[];
  readonly agent: 'auto' | 'mechanical' | 'replay';
  readonly limits: {
    readonly fileLines: number;
    readonly functionLines: number;
    readonly classMethods: number;
    readonly runMs: number;
    readonly checkMs: number;
  };
}

export type OptionSource = 'default' | 'operator' | 'repository' | 'request';
