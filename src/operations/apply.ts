import { diffOf, formatted, tryOut } from './attempt.ts';
import { prove, REASON_OF_PROOF } from './prove.ts';
import type { Application, Declined } from './operations.ts';
import type { Recipe } from '../domain/plan.ts';
import type { Workbench } from './workbench.ts';

const NOTHING_LEFT = {
  symbols: [],
  reason: 'no-change',
  detail: 'nothing of what the recipe names is left to do',
} as const;

/** Does again what a recipe says. The same tree and recipe give the same diff. */
export function apply(bench: Workbench, recipe: Recipe): Application {
  const path = recipe.files[0] ?? '';
  const { names, target } = recipe.inputs;
  const attempt = tryOut(bench, {
    operation: recipe.operation,
    path,
    wish: {
      names: Array.isArray(names) ? names : [],
      target: typeof target === 'string' ? target : null,
      fileLines: 0,
    },
  });
  const decline = (refusal: Omit<Declined, 'operation' | 'path'>): Application => ({
    kind: 'declined',
    declined: { operation: recipe.operation, path, ...refusal },
  });
  const ready = formatted(bench, attempt);
  if (ready.change === null) return decline(attempt.refusals.at(-1) ?? NOTHING_LEFT);
  const proofs = prove(bench, ready.change);
  const failed = proofs.find((proof) => !proof.held);
  if (failed !== undefined) {
    return decline({ symbols: attempt.names, reason: REASON_OF_PROOF[failed.name], detail: failed.evidence });
  }
  return { kind: 'patch', diff: diffOf(bench, ready), touchedFiles: [...ready.change.texts.keys()].sort(), proofs };
}
