import type { Environment } from '../domain/verdict.ts';
import type { Proof } from '../domain/patch.ts';
import type { MechanicalOperation, Recipe } from '../domain/plan.ts';
import type { Workspace } from '../domain/workspace.ts';

/** What `detect` looks at: the files of findings, by operation. */
export interface DetectRequest {
  readonly operations: readonly MechanicalOperation[];
  /** Repository paths worth a look, in order of weight. */
  readonly files: Readonly<Record<MechanicalOperation, readonly string[]>>;
  readonly limits: { readonly fileLines: number };
}

/** One thing an operation can do, tried in memory: its proofs held. */
export interface Candidate {
  readonly recipe: Recipe;
  /** Imperative, lower case: `remove 3 unused imports from parse.ts`. */
  readonly goal: string;
  /** Every path the patch touches, created files included. */
  readonly files: readonly string[];
  /** Added plus removed lines. */
  readonly diffLines: number;
}

/** One thing an operation will not do, and why: `spied-export: test/render.test.ts spies on parseColor`. */
export interface Declined {
  readonly operation: MechanicalOperation;
  readonly path: string;
  readonly symbols: readonly string[];
  readonly reason: DeclineReason;
  readonly detail: string;
}

export const DECLINE_REASONS = [
  'side-effect-import',
  'augmented-interface',
  'spied-export',
  'impure-initialiser',
  'exported-elsewhere',
  'too-little-to-move',
  'target-too-long',
  'new-diagnostics',
  'export-surface-changed',
  'cycle-added',
  'declaration-changed',
  'emitted-code-changed',
  'not-a-module',
  'directive-prologue',
  'generated-file',
  'kept-on-purpose',
  'unreadable',
  'no-change',
  'target-exists',
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

export interface Detection {
  readonly engine: string;
  readonly candidates: readonly Candidate[];
  readonly declined: readonly Declined[];
}

export type Application =
  | {
      readonly kind: 'patch';
      readonly diff: string;
      readonly touchedFiles: readonly string[];
      readonly proofs: readonly Proof[];
    }
  | { readonly kind: 'declined'; readonly declined: Declined };

/** Where the operations run: the checkout (read-only) and the recorded environment. */
export interface OperationsContext {
  readonly workspace: Workspace;
  readonly environment: Environment;
  readonly wallMs: number;
}

/**
 * The deterministic refactorings. They run as a program inside the sandbox: it reads a tree that untrusted installs wrote, and the
 * repository's formatter executes its code. What comes back is untrusted until the gate has seen it. Throws `output-invalid` when
 * the program answers nothing usable.
 */
export interface Operations {
  detect(request: DetectRequest, context: OperationsContext, signal: AbortSignal): Promise<Detection>;
  apply(recipe: Recipe, context: OperationsContext, signal: AbortSignal): Promise<Application>;
}
