import ts from 'typescript';
import {
  declarationsOf,
  importBindings,
  isScript,
  topLevelUnits,
  type ImportBinding,
  type TopLevelUnit,
} from './top-level-units.ts';

/** What each top-level unit of a module uses of the others and of the imports. */
export interface ModuleUses {
  readonly units: readonly TopLevelUnit[];
  readonly imports: readonly ImportBinding[];
  unitsUsedBy(unit: TopLevelUnit): ReadonlySet<TopLevelUnit>;
  importsUsedBy(unit: TopLevelUnit): ReadonlySet<ImportBinding>;
}

type Target = { unit: TopLevelUnit; binding?: never } | { binding: ImportBinding; unit?: never };

export function moduleUses(sourceFile: ts.SourceFile, checker: ts.TypeChecker): ModuleUses {
  const units = topLevelUnits(sourceFile);
  const imports = importBindings(sourceFile);
  const resolve = targetResolver({ units, imports }, checker);
  const unitUses = new Map<TopLevelUnit, Set<TopLevelUnit>>();
  const importUses = new Map<TopLevelUnit, Set<ImportBinding>>();
  for (const unit of units) {
    const usedUnits = new Set<TopLevelUnit>();
    const usedImports = new Set<ImportBinding>();
    for (const identifier of unit.statements.flatMap((statement) => identifiersOf(statement))) {
      const target = resolve(identifier);
      if (target?.unit !== undefined && target.unit !== unit) usedUnits.add(target.unit);
      if (target?.binding !== undefined) usedImports.add(target.binding);
    }
    unitUses.set(unit, usedUnits);
    importUses.set(unit, usedImports);
  }
  return {
    units,
    imports,
    unitsUsedBy: (unit) => unitUses.get(unit) ?? new Set(),
    importsUsedBy: (unit) => importUses.get(unit) ?? new Set(),
  };
}

/** Bindings that no unit uses, once the units in `without` are gone. */
export function unusedBindings(uses: ModuleUses, without: ReadonlySet<TopLevelUnit>): Set<ImportBinding> {
  const unused = new Set(uses.imports);
  for (const unit of uses.units) {
    if (without.has(unit)) continue;
    for (const binding of uses.importsUsedBy(unit)) unused.delete(binding);
  }
  return unused;
}

function targetResolver(
  module: Pick<ModuleUses, 'units' | 'imports'>,
  checker: ts.TypeChecker,
): (identifier: ts.Identifier) => Target | undefined {
  const byNode = new Map<ts.Node, Target>();
  const byName = new Map<string, Target>();
  const add = (declared: { name: string; node: ts.Node }, target: Target) => {
    byNode.set(declared.node, target);
    byName.set(declared.name, target);
  };
  for (const unit of module.units) {
    for (const declared of unit.statements.flatMap((statement) => declarationsOf(statement))) add(declared, { unit });
  }
  for (const binding of module.imports) add(binding, { binding });
  return (identifier) => {
    const named = byName.get(identifier.text);
    if (named === undefined || isMemberName(identifier)) return undefined;
    const symbol = localSymbol(identifier, checker);
    // What cannot be resolved may still be a use: keeping too much is the safe side.
    if (symbol === undefined) return named;
    return (symbol.declarations ?? []).map((node) => byNode.get(node)).find((target) => target !== undefined);
  };
}

function localSymbol(identifier: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const parent = identifier.parent;
  if (ts.isShorthandPropertyAssignment(parent)) return checker.getShorthandAssignmentValueSymbol(parent);
  if (ts.isExportSpecifier(parent)) return checker.getExportSpecifierLocalTargetSymbol(parent);
  return checker.getSymbolAtLocation(identifier);
}

/** `b` of `a.b` and of `{ b: 1 }` names a member, never a binding of this module. */
function isMemberName(identifier: ts.Identifier): boolean {
  const parent = identifier.parent;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === identifier;
  if (ts.isQualifiedName(parent)) return parent.right === identifier;
  if (ts.isExportSpecifier(parent)) {
    return parent.parent.parent.moduleSpecifier !== undefined || (parent.propertyName ?? parent.name) !== identifier;
  }
  if (ts.isBindingElement(parent)) return parent.propertyName === identifier;
  const isMember =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isAccessor(parent) ||
    ts.isEnumMember(parent) ||
    ts.isJsxAttribute(parent);
  return isMember && parent.name === identifier;
}

/** In scripts the types stand in JSDoc, so it is read there like code. */
function identifiersOf(root: ts.Node): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  const visitWithDocs = (node: ts.Node) => {
    if (ts.isIdentifier(node)) found.push(node);
    ts.getJSDocCommentsAndTags(node).forEach(visit);
    ts.forEachChild(node, visitWithDocs);
  };
  if (isScript(root)) visitWithDocs(root);
  else visit(root);
  return found;
}
