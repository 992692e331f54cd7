import type { BatchId, TreeId } from './ids.ts';
import type { Recipe } from './plan.ts';

/** A unified diff and the claims of whoever proposed it. Not trusted until reviewed. */
export interface Patch {
  readonly batch: BatchId;
  /** `mechanical`, `replay`, `claude-code`. */
  readonly author: string;
  /** Unified diff with `a/` `b/` prefixes, `--full-index`, ending in a newline. */
  readonly diff: string;
  readonly rationale: string;
  readonly riskNotes: readonly string[];
  /** Repository paths the author says it touches: compared with the diff. */
  readonly touchedFiles: readonly string[];
  readonly proofs: readonly Proof[];
  readonly recipe: Recipe | null;
}

/** One thing shown about a patch beyond the repository's own checks. */
export interface Proof {
  readonly name: ProofName;
  readonly held: boolean;
  /** `0 new diagnostics in 5 files`, `14 declarations token-identical`. One line. */
  readonly evidence: string;
}

export const PROOF_NAMES = [
  'no-new-diagnostics',
  'export-surface-equal',
  'moved-declarations-identical',
  'cycles-not-up',
  'emitted-code-equal',
] as const;
export type ProofName = (typeof PROOF_NAMES)[number];

/** Why the gate refused. One rule, one file where it applies, one sentence that tells the author what to do instead. */
export interface Rejection {
  readonly rule: GateRule;
  readonly path: string | null;
  readonly message: string;
}

export const GATE_RULES = [
  'empty-patch',
  'malformed-diff',
  'unsafe-path',
  'symlink',
  'submodule',
  'mode-change',
  'binary',
  'protected-path',
  'out-of-scope',
  'outside-symbols',
  'claims-differ',
  'over-budget',
  'new-dependency',
  'tests-weakened',
  'secret',
  'ambiguous-context',
  'does-not-apply',
  'proof-failed',
] as const;
export type GateRule = (typeof GATE_RULES)[number];

/** The gate's answer: accepted with the tree that applying it gives, or every reason at once. */
export type Review =
  | { readonly accepted: true; readonly tree: TreeId; readonly stat: DiffStat }
  | { readonly accepted: false; readonly rejections: readonly Rejection[] };

export interface DiffStat {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}
