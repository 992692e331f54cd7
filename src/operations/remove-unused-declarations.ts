import ts from 'typescript';
import { basename } from 'node:path';
import { applyEdits } from './text-edits.ts';
import { augmentedNames } from './augmented-names.ts';
import { count, refuse, type Proposal, type Wish } from './change.ts';
import { hasModifier, isTypeDeclaration, type TopLevelUnit } from './top-level-units.ts';
import { importRemovalEdits } from './remove-imports.ts';
import { isPureClass, isPureExpression } from './purity.ts';
import { moduleUses, unusedBindings, type ModuleUses } from './module-uses.ts';
import { runRemovalEdit, runsOf, startWithComments } from './statement-ranges.ts';
import { sortOut, wholeDeclarations } from './remove-unused-imports.ts';
import { spiedNames } from './spied-names.ts';
import type { OpenFile, Workbench } from './workbench.ts';
import type { Refusal } from './protocol.ts';

/** Words above a declaration that say its author knows it looks unused. */
const KEPT = /no-?unused|noinspection|@(?:preserve|keep|used|public|internal|ts-ignore|ts-expect-error)\b/i;

/**
 * Takes out private top-level declarations that nothing reaches from what the module exports or runs, those that only such ones use
 * included, and the imports that only they used.
 */
export function removeUnusedDeclarations(bench: Workbench, file: OpenFile, wish: Wish): Proposal {
  const uses = moduleUses(file.sourceFile, file.checker);
  const { dead, refusals } = deadUnits(bench, file, uses);
  const chosen = new Set([...dead].filter((unit) => wish.names === null || wish.names.includes(unit.names[0] ?? '')));
  if (chosen.size === 0) return refuse(...refusals);
  const orphaned = orphanedImports(uses, chosen);
  const imports = sortOut(bench, file, orphaned);
  if (imports.refusals.length > 0) return refuse(...refusals, ...imports.refusals);
  const { sourceFile } = file;
  const statements = new Set([...chosen].flatMap((unit) => unit.statements));
  const runs = runsOf(sourceFile, statements);
  const edits = [
    ...runs.map((run) => runRemovalEdit(sourceFile.text, run)),
    ...importRemovalEdits(sourceFile, imports.removable),
  ];
  const names = [...chosen].map((unit) => unit.names[0] ?? '');
  return {
    change: {
      texts: new Map([[file.path, applyEdits(sourceFile.text, edits)]]),
      cameFrom: new Map(),
      removedStatements: statements.size + wholeDeclarations(imports.removable),
    },
    names,
    inputs: { names },
    goal: `remove ${count(names.length, 'unused declaration')} from ${basename(file.path)}`,
    refusals,
  };
}

function deadUnits(
  bench: Workbench,
  file: OpenFile,
  uses: ModuleUses,
): { dead: ReadonlySet<TopLevelUnit>; refusals: Refusal[] } {
  const unreached = unreachedFrom(uses, new Set(uses.units.filter((unit) => !isPrivateDeclaration(unit))));
  const refusals: Refusal[] = [];
  const kept = new Set(uses.units.filter((unit) => !unreached.has(unit)));
  for (const unit of unreached) {
    const refusal = unitRefusal(bench, file, unit);
    if (refusal === null) continue;
    refusals.push({ symbols: unit.names, ...refusal });
    kept.add(unit);
  }
  return { dead: unreachedFrom(uses, kept), refusals };
}

/** In the order of the file. */
function unreachedFrom(uses: ModuleUses, roots: ReadonlySet<TopLevelUnit>): Set<TopLevelUnit> {
  const unreached = new Set(uses.units);
  const waiting = [...roots];
  for (let unit = waiting.pop(); unit !== undefined; unit = waiting.pop()) {
    if (unreached.delete(unit)) waiting.push(...uses.unitsUsedBy(unit));
  }
  return unreached;
}

function isPrivateDeclaration(unit: TopLevelUnit): boolean {
  return (
    unit.names.length > 0 &&
    !unit.exported &&
    unit.statements.every((statement) => isRemovableKind(statement) && !isAmbient(statement))
  );
}

function isAmbient(statement: ts.Statement): boolean {
  return hasModifier(statement, ts.SyntaxKind.DeclareKeyword);
}

/** Namespaces may merge with more than is seen here, and destructuring reads properties. */
function isRemovableKind(statement: ts.Statement): boolean {
  if (ts.isVariableStatement(statement)) {
    const { flags, declarations } = statement.declarationList;
    const isUsing = (flags & ts.NodeFlags.Using) !== 0;
    return !isUsing && declarations.every(({ name }) => ts.isIdentifier(name));
  }
  return (
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    isTypeDeclaration(statement)
  );
}

function unitRefusal(bench: Workbench, file: OpenFile, unit: TopLevelUnit): Omit<Refusal, 'symbols'> | null {
  const name = unit.names[0] ?? '';
  const spied = unit.names.map((one) => spiedNames(bench, file.path).get(one)).find((found) => found !== undefined);
  if (spied !== undefined) return { reason: 'spied-export', detail: spied };
  const augmented = augmentedNames(bench, file.path).get(name);
  if (augmented !== undefined) return { reason: 'augmented-interface', detail: augmented };
  if (name.startsWith('_')) return { reason: 'kept-on-purpose', detail: `${name} is named as unused` };
  const comments = unit.statements.map((statement) =>
    file.sourceFile.text.slice(startWithComments(file.sourceFile, statement), statement.getStart(file.sourceFile)),
  );
  if (KEPT.test(comments.join('\n'))) return { reason: 'kept-on-purpose', detail: `a comment on ${name} asks for it` };
  if (unit.statements.every((statement) => isPure(statement))) return null;
  return { reason: 'impure-initialiser', detail: `evaluating ${name} may do something` };
}

function isPure(statement: ts.Statement): boolean {
  if (ts.isClassDeclaration(statement)) return isPureClass(statement);
  if (ts.isEnumDeclaration(statement)) {
    return statement.members.every((member) => isPureExpression(member.initializer));
  }
  if (!ts.isVariableStatement(statement)) return true;
  return statement.declarationList.declarations.every(({ initializer }) => isPureExpression(initializer));
}

/** Imports that were used until now and are not any more: those that were unused before are another operation's. */
function orphanedImports(uses: ModuleUses, removed: ReadonlySet<TopLevelUnit>) {
  const before = unusedBindings(uses, new Set());
  return [...unusedBindings(uses, removed)].filter((binding) => !before.has(binding));
}
