import { basename } from 'node:path';
import { applyEdits } from './text-edits.ts';
import { count, type Proposal, type Wish } from './change.ts';
import { importRemovalEdits, removesWhole } from './remove-imports.ts';
import { lostEvaluation } from './module-effects.ts';
import { moduleUses, unusedBindings } from './module-uses.ts';
import { unusedSpans, type Span } from './diagnostics.ts';
import type { ImportBinding } from './top-level-units.ts';
import type { OpenFile, Workbench } from './workbench.ts';
import type { Refusal } from './protocol.ts';

/**
 * Takes out imported names that nothing in the file uses. Both the compiler and the count of our own must say so: the compiler knows
 * the names a JSX pragma needs, our count knows those that only a comment's type uses.
 */
export function removeUnusedImports(bench: Workbench, file: OpenFile, wish: Wish): Proposal {
  const { sourceFile, checker, program } = file;
  const spans = unusedSpans(program, sourceFile);
  const unused = [...unusedBindings(moduleUses(sourceFile, checker), new Set())].filter(
    (binding) => isReported(binding, spans) && (wish.names?.includes(binding.name) ?? true),
  );
  const { removable, refusals } = sortOut(bench, file, unused);
  const names = [...removable].map((binding) => binding.name);
  const edits = importRemovalEdits(sourceFile, removable);
  const texts = new Map([[file.path, applyEdits(sourceFile.text, edits)]]);
  return {
    change: names.length === 0 ? null : { texts, cameFrom: new Map(), removedStatements: wholeDeclarations(removable) },
    names,
    inputs: { names },
    goal: `remove ${count(names.length, 'unused import')} from ${basename(file.path)}`,
    refusals,
  };
}

/** An import whose loading does something stays as a whole, with the reason. */
export function sortOut(
  bench: Workbench,
  file: OpenFile,
  unused: readonly ImportBinding[],
): { removable: Set<ImportBinding>; refusals: Refusal[] } {
  const removable = new Set<ImportBinding>();
  const refusals: Refusal[] = [];
  for (const bindings of Map.groupBy(unused, (binding) => binding.declaration).values()) {
    const effect = lostEvaluation(bench, file, bindings);
    if (effect === null) bindings.forEach((binding) => removable.add(binding));
    else {
      const symbols = bindings.map((binding) => binding.name);
      refusals.push({ symbols, reason: 'side-effect-import', detail: `the import loads a module: ${effect}` });
    }
  }
  return { removable, refusals };
}

/** How many declarations go whole: in CommonJS output each is a statement. */
export function wholeDeclarations(bindings: ReadonlySet<ImportBinding>): number {
  const groups = [...Map.groupBy(bindings, (binding) => binding.declaration)];
  return groups.filter(([declaration, removed]) => removesWhole(declaration, removed)).length;
}

/** The compiler marks the name, or the whole declaration when none of its names is used. */
function isReported(binding: ImportBinding, spans: readonly Span[]): boolean {
  const { name } = binding.node;
  return name !== undefined && spans.some((span) => span.start <= name.getStart() && name.end <= span.end);
}
