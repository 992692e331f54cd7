import ts from 'typescript';
import { augmentedNames, invitesAugmentation } from './augmented-names.ts';
import { hasModifier, isTypeDeclaration, type TopLevelUnit } from './top-level-units.ts';
import { spiedNames } from './spied-names.ts';
import type { ModuleUses } from './module-uses.ts';
import type { OpenFile, Workbench } from './workbench.ts';
import type { Refusal } from './protocol.ts';

export interface Movable {
  /** Each movable unit with everything it needs, itself included: what has to move together. */
  readonly closures: ReadonlyMap<TopLevelUnit, ReadonlySet<TopLevelUnit>>;
  readonly refusals: readonly Refusal[];
}

/**
 * Type declarations that can live in another module. Only sets closed under dependency may move: then the new module never needs
 * the old one, and no cycle between the two can arise.
 */
export function movableTypes(bench: Workbench, file: OpenFile, uses: ModuleUses): Movable {
  const refusals = [...spiedRefusals(bench, file, uses), ...augmentedRefusals(bench, file, uses)];
  const refused = new Set(refusals.flatMap((refusal) => refusal.symbols));
  const listed = namesInExportLists(file);
  const mayMove = (unit: TopLevelUnit) =>
    unit.names.length > 0 &&
    unit.statements.every((statement) => isTypeDeclaration(statement) && !isDeclaredOrDefault(statement)) &&
    !unit.names.some((name) => refused.has(name) || listed.has(name)) &&
    ![...uses.importsUsedBy(unit)].some((binding) => ts.isImportEqualsDeclaration(binding.declaration));
  const closures = new Map<TopLevelUnit, ReadonlySet<TopLevelUnit>>();
  for (const unit of uses.units) {
    const closure = closureOf(unit, uses);
    if ([...closure].every((member) => mayMove(member))) closures.set(unit, closure);
  }
  return { closures, refusals };
}

function closureOf(unit: TopLevelUnit, uses: ModuleUses): Set<TopLevelUnit> {
  const closure = new Set<TopLevelUnit>();
  const waiting = [unit];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (closure.has(next)) continue;
    closure.add(next);
    waiting.push(...uses.unitsUsedBy(next));
  }
  return closure;
}

function isDeclaredOrDefault(statement: ts.Statement): boolean {
  return hasModifier(statement, ts.SyntaxKind.DeclareKeyword) || hasModifier(statement, ts.SyntaxKind.DefaultKeyword);
}

/**
 * `export { T }` of a type that is now imported is an error where files are compiled one by one, and `export default T` always is.
 * Such a list is the author's table of contents: its names stay beside it.
 */
function namesInExportLists(file: OpenFile): Set<string> {
  const { isolatedModules, verbatimModuleSyntax } = file.program.getCompilerOptions();
  const names = new Set<string>();
  for (const statement of file.sourceFile.statements) {
    if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression)) names.add(statement.expression.text);
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier !== undefined || statement.isTypeOnly) continue;
    if (isolatedModules !== true && verbatimModuleSyntax !== true) continue;
    if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause)) continue;
    for (const element of statement.exportClause.elements) {
      if (!element.isTypeOnly) names.add((element.propertyName ?? element.name).text);
    }
  }
  return names;
}

/** What a test replaces has to stay, and so do the types that are made from it: the reader is told what keeps the file together. */
function spiedRefusals(bench: Workbench, file: OpenFile, uses: ModuleUses): Refusal[] {
  const spied = spiedNames(bench, file.path);
  return uses.units
    .filter((unit) => unit.exported)
    .flatMap((unit) => unit.names.map((name) => ({ unit, name, detail: spied.get(name) })))
    .flatMap(({ unit, name, detail }) => {
      if (detail === undefined) return [];
      const held = uses.units.filter((other) => other !== unit && closureOf(other, uses).has(unit));
      const types = held.filter((other) => other.statements.every((statement) => isTypeDeclaration(statement)));
      const also = types.length === 0 ? '' : `, and ${types.length} types that need it`;
      return [{ symbols: [name], reason: 'spied-export' as const, detail: `${detail}: it has to stay${also}` }];
    });
}

function augmentedRefusals(bench: Workbench, file: OpenFile, uses: ModuleUses): Refusal[] {
  const augmented = augmentedNames(bench, file.path);
  return uses.units.flatMap((unit) => {
    const name = unit.names.find((one) => augmented.has(one)) ?? unit.names[0];
    if (name === undefined) return [];
    const invitation = invitesAugmentation(unit) ? `${name} is empty, so that others can augment it` : undefined;
    const detail = augmented.get(name) ?? invitation;
    return detail === undefined ? [] : [{ symbols: [name], reason: 'augmented-interface' as const, detail }];
  });
}
