import ts from 'typescript';
import { basename } from 'node:path';
import { composeSplit, type SplitParts } from './compose-split.ts';
import { count, refuse, type Proposal, type Wish } from './change.ts';
import { moduleUses, unusedBindings, type ModuleUses } from './module-uses.ts';
import { movableTypes, type Movable } from './movable-declarations.ts';
import { sortOut } from './remove-unused-imports.ts';
import { typesModuleNames, wordsOf } from './name-types-module.ts';
import type { OpenFile, Workbench } from './workbench.ts';
import type { Refusal } from './protocol.ts';
import type { TopLevelUnit } from './top-level-units.ts';

/** Less is not worth a new file, unless it brings the old one under its limit. */
const LEAST_MOVED_LINES = 60;
const LEAST_REMAINING_LINES = 40;
/** Room for lines that the repository's formatter may add. */
const SPARE_LINES = 5;

interface Draft {
  readonly parts: SplitParts;
  readonly source: string;
  readonly target: string;
}

/**
 * Moves a closed set of type declarations of an oversized file to a new module beside it. The file re-exports everything it exported,
 * so importers stay untouched and the diff has exactly two files.
 */
export function splitTypes(bench: Workbench, file: OpenFile, wish: Wish): Proposal {
  const directive = directiveOf(file.sourceFile);
  if (directive !== null) {
    return refuse({
      symbols: [],
      reason: 'directive-prologue',
      detail: `'${directive}' changes what a module may export`,
    });
  }
  if (wish.names === null && linesOf(file.sourceFile.text) <= wish.fileLines) {
    return refuse({ symbols: [], reason: 'no-change', detail: `it is within the limit of ${wish.fileLines} lines` });
  }
  const uses = moduleUses(file.sourceFile, file.checker);
  const movable = movableTypes(bench, file, uses);
  const moved = wish.names === null ? choose(bench, file, { uses, movable, wish }) : named(movable, wish.names);
  if (moved === null || moved.size === 0) return refuse(...movable.refusals, tooLittle());
  const target = wish.target ?? freeTarget(bench, file, moved);
  if (target === null || bench.tree.exists(target)) {
    return refuse(...movable.refusals, {
      symbols: [],
      reason: 'target-exists',
      detail: 'every fitting file name is taken',
    });
  }
  const orphaned = sortOut(bench, file, orphanedImports(uses, moved));
  if (orphaned.refusals.length > 0) return refuse(...movable.refusals, ...orphaned.refusals);
  const draft = composeSplit({ file, uses, moved, target, orphaned: orphaned.removable });
  return proposal(draft, { file, moved, target, refusals: movable.refusals });
}

function proposal(
  draft: { source: string; target: string },
  about: { file: OpenFile; moved: ReadonlySet<TopLevelUnit>; target: string; refusals: readonly Refusal[] },
): Proposal {
  const { file, target } = about;
  const names = inSourceOrder(about.moved).flatMap((unit) => unit.names);
  return {
    change: {
      texts: new Map([
        [file.path, draft.source],
        [target, draft.target],
      ]),
      cameFrom: new Map([[target, file.path]]),
      removedStatements: 0,
    },
    names,
    inputs: { names, target },
    goal: `move ${count(names.length, 'type declaration')} of ${basename(file.path)} to ${basename(target)}`,
    refusals: about.refusals,
  };
}

/** The largest closed set that fits into one module; what is left over is for a later run. Null when it would be too little. */
function choose(
  bench: Workbench,
  file: OpenFile,
  given: { uses: ModuleUses; movable: Movable; wish: Wish },
): ReadonlySet<TopLevelUnit> | null {
  const { uses, movable, wish } = given;
  const before = linesOf(file.sourceFile.text);
  const most = Math.min(wish.fileLines - SPARE_LINES, Math.max(LEAST_MOVED_LINES, before - LEAST_REMAINING_LINES));
  const draftOf = (units: ReadonlySet<TopLevelUnit>): Draft => {
    const moved = new Set(inSourceOrder(units));
    const orphaned = new Set(orphanedImports(uses, moved));
    const parts = { file, uses, moved, orphaned, target: freeTarget(bench, file, moved) ?? file.path };
    return { parts, ...composeSplit(parts) };
  };
  const halves = movesNearlyAll(file, movable) ? Math.ceil(before / 2) : most;
  let best: Draft | null = null;
  for (const closure of bySizeDescending(movable)) {
    const draft = draftOf(new Set([...(best?.parts.moved ?? []), ...closure]));
    const fits = linesOf(draft.target) <= Math.min(most, Math.max(halves, LEAST_MOVED_LINES));
    if (fits && linesOf(draft.source) >= LEAST_REMAINING_LINES) best = draft;
  }
  if (best === null) return null;
  const gained = before - linesOf(best.source);
  const isEnough =
    gained >= LEAST_MOVED_LINES || (gained > 0 && linesOf(best.source) <= wish.fileLines && before > wish.fileLines);
  return isEnough ? best.parts.moved : null;
}

/** A file of nothing but types is better halved than emptied. */
function movesNearlyAll(file: OpenFile, movable: Movable): boolean {
  const length = [...movable.closures.keys()].reduce((sum, unit) => sum + sizeOf(unit), 0);
  return length > 0.75 * file.sourceFile.text.length;
}

function bySizeDescending(movable: Movable): ReadonlySet<TopLevelUnit>[] {
  const size = (closure: ReadonlySet<TopLevelUnit>) => [...closure].reduce((sum, unit) => sum + sizeOf(unit), 0);
  return [...movable.closures.values()]
    .map((closure) => ({ closure, size: size(closure) }))
    .sort((left, right) => right.size - left.size)
    .map(({ closure }) => closure);
}

function named(movable: Movable, names: readonly string[]): ReadonlySet<TopLevelUnit> | null {
  const units = [...movable.closures.keys()].filter((unit) => unit.names.some((name) => names.includes(name)));
  const isWhole = names.every((name) => units.some((unit) => unit.names.includes(name)));
  const isClosed = units.every((unit) =>
    [...(movable.closures.get(unit) ?? [])].every((member) => units.includes(member)),
  );
  return isWhole && isClosed ? new Set(inSourceOrder(units)) : null;
}

function freeTarget(bench: Workbench, file: OpenFile, moved: ReadonlySet<TopLevelUnit>): string | null {
  // A short name says more about the module than the longest type that happens to be in it.
  const isShort = (unit: TopLevelUnit) => wordsOf(unit.names[0] ?? '').length <= 2;
  const short = [...moved].filter(isShort);
  const largest = (short.length > 0 ? short : [...moved]).sort((left, right) => sizeOf(right) - sizeOf(left))[0];
  const names = typesModuleNames(bench.tree, file.path, largest?.names[0] ?? '');
  return names.find((name) => !bench.tree.exists(name)) ?? null;
}

function orphanedImports(uses: ModuleUses, moved: ReadonlySet<TopLevelUnit>) {
  const before = unusedBindings(uses, new Set());
  return [...unusedBindings(uses, moved)].filter((binding) => !before.has(binding));
}

function inSourceOrder(units: Iterable<TopLevelUnit>): TopLevelUnit[] {
  return [...units].sort((left, right) => (left.statements[0]?.pos ?? 0) - (right.statements[0]?.pos ?? 0));
}

function sizeOf(unit: TopLevelUnit): number {
  return unit.statements.reduce((sum, statement) => sum + statement.end - statement.pos, 0);
}

function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function directiveOf(sourceFile: ts.SourceFile): string | null {
  const first = sourceFile.statements[0];
  const isDirective = first !== undefined && ts.isExpressionStatement(first) && ts.isStringLiteral(first.expression);
  return isDirective && first.expression.text.startsWith('use ') && first.expression.text !== 'use strict'
    ? first.expression.text
    : null;
}

function tooLittle(): Refusal {
  return {
    symbols: [],
    reason: 'too-little-to-move',
    detail: `no closed set of types is worth a file of its own (at least ${LEAST_MOVED_LINES} lines, or what brings it under the limit)`,
  };
}
