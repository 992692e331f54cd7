import type { BatchId, CommitId, PlanHash } from './ids.ts';
import type { FigureName } from './figures.ts';
import type { Finding } from './finding.ts';

/** The whole vocabulary of operations, in the order of their risk. */
export const OPERATIONS = [
  'format',
  'organize-imports',
  'remove-dead-code',
  'rename',
  'extract-function',
  'split-module',
  'move',
  'merge-duplicates',
  'break-cycle',
  'add-tests',
  'restructure',
  'transform',
  'docs',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/**
 * What a deterministic operation needs to do the same again: replaying it on the parent tree must give the same tree id.
 * `engine` names the program and its version (`refactor-bot-operations/1 typescript/6.0.2`).
 */
export interface Recipe {
  readonly operation: MechanicalOperation;
  readonly engine: string;
  /** Repository paths the operation starts from. */
  readonly files: readonly string[];
  /** Operation-specific inputs: names to move, target path. Plain JSON, sorted keys. */
  readonly inputs: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

export const MECHANICAL_OPERATIONS = ['remove-unused-imports', 'remove-unused-declarations', 'split-types'] as const;
export type MechanicalOperation = (typeof MECHANICAL_OPERATIONS)[number];

export type VerifierLevel = 'fast' | 'full';

/** One atomic unit of the plan. */
export interface Batch {
  readonly id: BatchId;
  /** Imperative sentence, the commit's subject: `move 14 type declarations of render.ts to render-types.ts`. */
  readonly goal: string;
  /** Globs a patch may touch, files it creates included. */
  readonly scope: readonly string[];
  readonly operations: readonly Operation[];
  /** Added plus removed lines a patch may have. */
  readonly diffBudgetLines: number;
  /** 0 (provable) to 100. */
  readonly risk: number;
  readonly verifier: VerifierLevel;
  readonly findings: readonly Finding[];
  /** Figures that must fall. */
  readonly improves: readonly FigureName[];
  readonly dependsOn: readonly BatchId[];
  /** Present when no judgement is needed; an agent batch has none. */
  readonly recipe: Recipe | null;
}

/** A finding that is in no batch, with the reason: it is shown, not hidden. */
export interface LeftOut {
  readonly finding: Finding;
  readonly reason: string;
}

export interface Plan {
  readonly hash: PlanHash;
  readonly baseCommit: CommitId;
  readonly request: string;
  readonly batches: readonly Batch[];
  readonly leftOut: readonly LeftOut[];
}
