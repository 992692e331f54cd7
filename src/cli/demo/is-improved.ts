import type { RunView } from '../../domain/run-view.ts';
import { standingCheckpoints } from '../../domain/run-view.ts';

/** True when something was kept and every figure that a kept batch named fell. */
export function isImproved(view: RunView): boolean {
  const before = view.figuresBefore;
  const after = view.result?.figures;
  if (before === null || after === undefined || standingCheckpoints(view).length === 0) return false;
  const named = view.batches.flatMap((entry) => (entry.status === 'kept' ? entry.batch.improves : []));
  return named.every((name) => after[name] < before[name]);
}
