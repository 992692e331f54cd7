import ts from 'typescript';

/** Statements at the top of a module that declare the same names and so can only move or go together (overloads, merged declarations). */
export interface TopLevelUnit {
  /** Empty for a statement that declares nothing: an expression, an export list. */
  readonly names: readonly string[];
  readonly statements: readonly ts.Statement[];
  /** Has `export` on a declaration; an export list is a unit of its own that uses what it names. */
  readonly exported: boolean;
}

/** One local name that an import declaration makes. */
export interface ImportBinding {
  readonly name: string;
  readonly declaration: ts.ImportDeclaration | ts.ImportEqualsDeclaration;
  readonly node: ts.ImportClause | ts.NamespaceImport | ts.ImportSpecifier | ts.ImportEqualsDeclaration;
}

export function topLevelUnits(sourceFile: ts.SourceFile): TopLevelUnit[] {
  const units: { names: Set<string>; statements: ts.Statement[] }[] = [];
  for (const statement of sourceFile.statements) {
    if (ts.isImportDeclaration(statement) || ts.isImportEqualsDeclaration(statement)) continue;
    const names = declarationsOf(statement).map((declaration) => declaration.name);
    const same = units.filter((unit) => names.some((name) => unit.names.has(name)));
    const joined = {
      names: new Set([...same.flatMap((unit) => [...unit.names]), ...names]),
      statements: [...same.flatMap((unit) => unit.statements), statement],
    };
    const first = same[0];
    if (first === undefined) units.push(joined);
    else units.splice(units.indexOf(first), 1, joined);
    for (const other of same.slice(1)) units.splice(units.indexOf(other), 1);
  }
  return units.map((unit) => ({
    names: [...unit.names],
    statements: unit.statements.sort((left, right) => left.pos - right.pos),
    exported: unit.statements.some((statement) => hasModifier(statement, ts.SyntaxKind.ExportKeyword)),
  }));
}

/** The names a statement declares, with the nodes that symbols name as their declarations. */
export function declarationsOf(statement: ts.Statement): { readonly name: string; readonly node: ts.Node }[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap((declaration) => boundNames(declaration));
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    ts.isModuleDeclaration(statement);
  if (!isNamed || statement.name === undefined || !ts.isIdentifier(statement.name)) return [];
  return [{ name: statement.name.text, node: statement }];
}

function boundNames(declaration: ts.VariableDeclaration | ts.BindingElement): { name: string; node: ts.Node }[] {
  if (ts.isIdentifier(declaration.name)) return [{ name: declaration.name.text, node: declaration }];
  return declaration.name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element) : []));
}

export function importBindings(sourceFile: ts.SourceFile): ImportBinding[] {
  const found: ImportBinding[] = [];
  for (const declaration of sourceFile.statements) {
    if (ts.isImportEqualsDeclaration(declaration)) {
      found.push({ name: declaration.name.text, declaration, node: declaration });
    }
    if (!ts.isImportDeclaration(declaration) || declaration.importClause === undefined) continue;
    const clause = declaration.importClause;
    if (clause.name !== undefined) found.push({ name: clause.name.text, declaration, node: clause });
    const named = clause.namedBindings;
    if (named === undefined) continue;
    const nodes = ts.isNamespaceImport(named) ? [named] : named.elements;
    for (const node of nodes) found.push({ name: node.name.text, declaration, node });
  }
  return found;
}

export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === kind);
}

export function isTypeDeclaration(
  statement: ts.Statement,
): statement is ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  return ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
}

/** JavaScript, where types stand in JSDoc and every import is kept as written. */
export function isScript(node: ts.Node): boolean {
  return (node.flags & ts.NodeFlags.JavaScriptFile) !== 0;
}
