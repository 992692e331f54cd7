import type { BatchId, CommitId, TreeId } from './ids.ts';
import type { DiffStat, Proof } from './patch.ts';
import type { Figures } from './figures.ts';

/** The pushed commit of a batch that passed: the place to which a failure rewinds. */
export interface Checkpoint {
  readonly batch: BatchId;
  readonly commit: CommitId;
  readonly tree: TreeId;
  readonly attempt: number;
  readonly stat: DiffStat;
  readonly proofs: readonly Proof[];
  readonly figuresBefore: Figures;
  readonly figuresAfter: Figures;
}
