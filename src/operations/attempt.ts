import { fileRefusal } from './preconditions.ts';
import { formatWithRepository } from './format-with-repository.ts';
import { openFile, type Workbench } from './workbench.ts';
import { OPERATION_TABLE } from './registry.ts';
import { prove, REASON_OF_PROOF } from './prove.ts';
import { refuse, type Proposal, type Wish } from './change.ts';
import { unifiedDiff } from './unified-diff.ts';
import type { Declined } from './operations.ts';
import type { MechanicalOperation } from '../domain/plan.ts';

/** What one operation proposes for one file. */
export interface Attempt extends Proposal {
  readonly operation: MechanicalOperation;
  readonly path: string;
}

export function tryOut(
  bench: Workbench,
  asked: { readonly operation: MechanicalOperation; readonly path: string; readonly wish: Wish },
): Attempt {
  const { operation, path, wish } = asked;
  const file = openFile(bench, path);
  if (file === null) {
    const missing = refuse({ symbols: [], reason: 'unreadable', detail: 'it is not there, or no project can read it' });
    return { ...missing, operation, path };
  }
  const refusal = fileRefusal(file);
  const proposal = refusal === null ? OPERATION_TABLE[operation].propose(bench, file, wish) : refuse(refusal);
  return { ...proposal, operation, path };
}

export function refusalsOf(attempt: Attempt): Declined[] {
  return attempt.refusals.map((refusal) => ({ operation: attempt.operation, path: attempt.path, ...refusal }));
}

/** The same attempt with the layout that the repository's own formatter gives it. */
export function formatted(bench: Workbench, attempt: Attempt): Attempt {
  if (attempt.change === null) return attempt;
  const texts = formatWithRepository(bench.tree, attempt.change.texts, attempt.change.cameFrom);
  return { ...attempt, change: { ...attempt.change, texts } };
}

/** The decline that a failed proof stands for, or null when all held. */
export function failedProof(bench: Workbench, attempt: Attempt): Declined | null {
  if (attempt.change === null) return null;
  const failed = prove(bench, attempt.change).find((proof) => !proof.held);
  if (failed === undefined) return null;
  return {
    operation: attempt.operation,
    path: attempt.path,
    symbols: attempt.names,
    reason: REASON_OF_PROOF[failed.name],
    detail: failed.evidence,
  };
}

export function diffOf(bench: Workbench, attempt: Attempt): string {
  const texts = [...(attempt.change?.texts ?? [])];
  return unifiedDiff(
    texts.map(([path, after]) => ({
      path,
      before: attempt.change?.cameFrom.has(path) === true ? null : bench.tree.read(path),
      after,
      executable: bench.tree.exists(path) && bench.tree.isExecutable(path),
    })),
  );
}
