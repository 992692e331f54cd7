import ts from 'typescript';
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { isPureClass, isPureExpression } from './purity.ts';
import { removesWhole } from './remove-imports.ts';
import { hasModifier, isScript, type ImportBinding } from './top-level-units.ts';
import type { OpenFile, Workbench } from './workbench.ts';

/**
 * Why removing these bindings could change what runs: the import stays at run time today, and it is all that loads a module which
 * does something when it is loaded. Null when nothing can be lost.
 */
export function lostEvaluation(bench: Workbench, file: OpenFile, removed: readonly ImportBinding[]): string | null {
  const declaration = removed[0]?.declaration;
  if (declaration === undefined || !removesWhole(declaration, removed)) return null;
  if (!staysAtRunTime(file, declaration)) return null;
  const specifier = specifierOf(declaration);
  if (specifier === null || isLoadedEarlier(file, declaration, specifier.text)) return null;
  return effectOfLoading(bench, file, specifier);
}

/** Whether the declaration exists when the program runs, however it is compiled or stripped. */
export function staysAtRunTime(file: OpenFile, declaration: ImportBinding['declaration']): boolean {
  if (ts.isImportDeclaration(declaration) && declaration.importClause?.isTypeOnly === true) return false;
  if (ts.isImportEqualsDeclaration(declaration) && declaration.isTypeOnly) return false;
  if (isScript(declaration)) return true;
  const { options } = file.project;
  // With these, and in programs that Node itself strips (their specifiers end in .ts), nothing is elided for being unused.
  if (options.verbatimModuleSyntax === true || options.erasableSyntaxOnly === true) return true;
  if (options['preserveValueImports'] === true || options['importsNotUsedAsValues'] !== undefined) return true;
  return /\.[cm]?tsx?$/.test(specifierOf(declaration)?.text ?? '');
}

function specifierOf(declaration: ImportBinding['declaration']): ts.StringLiteral | null {
  if (ts.isImportDeclaration(declaration)) {
    return ts.isStringLiteral(declaration.moduleSpecifier) ? declaration.moduleSpecifier : null;
  }
  const reference = declaration.moduleReference;
  return ts.isExternalModuleReference(reference) && ts.isStringLiteral(reference.expression)
    ? reference.expression
    : null;
}

function isLoadedEarlier(file: OpenFile, declaration: ImportBinding['declaration'], specifier: string): boolean {
  return file.sourceFile.statements.some(
    (other) =>
      other.pos < declaration.pos &&
      ts.isImportDeclaration(other) &&
      specifierOf(other)?.text === specifier &&
      staysAtRunTime(file, other),
  );
}

function effectOfLoading(bench: Workbench, file: OpenFile, specifier: ts.StringLiteral): string | null {
  const name = specifier.text;
  if (name.startsWith('node:') || builtinModules.includes(name) || name.endsWith('.json')) return null;
  const target = moduleOf(file, specifier);
  if (target === undefined) return `${name} cannot be resolved, so what it does when it is loaded is unknown`;
  const path = bench.tree.repositoryPath(target.fileName);
  if (path === null) {
    const isDeclaredFree = declaresNoSideEffects(target.fileName);
    return isDeclaredFree ? null : `the package ${name} does not declare "sideEffects": false`;
  }
  return effectOfModule(bench, { ...file, path, sourceFile: target }, new Set());
}

/** The first top-level effect of a module or of what it loads, with its place. */
function effectOfModule(bench: Workbench, file: OpenFile, seen: Set<string>): string | null {
  if (seen.has(file.path)) return null;
  seen.add(file.path);
  if (file.sourceFile.isDeclarationFile) return `${file.path} only declares a module that is written elsewhere`;
  for (const statement of file.sourceFile.statements) {
    const effect = effectOfStatement(bench, file, { statement, seen });
    if (effect !== null) return effect;
  }
  return null;
}

function effectOfStatement(
  bench: Workbench,
  file: OpenFile,
  at: { readonly statement: ts.Statement; readonly seen: Set<string> },
): string | null {
  const { statement } = at;
  const loaded = loadedBy(file, statement);
  if (loaded !== null) {
    const target = moduleOf(file, loaded);
    const path = target === undefined ? null : bench.tree.repositoryPath(target.fileName);
    if (target === undefined || path === null) return effectOfLoading(bench, file, loaded);
    return effectOfModule(bench, { ...file, path, sourceFile: target }, at.seen);
  }
  if (isHarmless(statement)) return null;
  const line = file.sourceFile.getLineAndCharacterOfPosition(statement.getStart(file.sourceFile)).line + 1;
  return `${file.path}:${line} does something when it is loaded`;
}

function loadedBy(file: OpenFile, statement: ts.Statement): ts.StringLiteral | null {
  if (ts.isImportDeclaration(statement)) return staysAtRunTime(file, statement) ? specifierOf(statement) : null;
  if (!ts.isExportDeclaration(statement) || statement.isTypeOnly || statement.moduleSpecifier === undefined)
    return null;
  return ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier : null;
}

function isHarmless(statement: ts.Statement): boolean {
  if (hasModifier(statement, ts.SyntaxKind.DeclareKeyword)) return true;
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.every(
      (declaration) => ts.isIdentifier(declaration.name) && isPureExpression(declaration.initializer),
    );
  }
  if (ts.isClassDeclaration(statement)) return isPureClass(statement);
  if (ts.isExportAssignment(statement)) return isPureExpression(statement.expression);
  return (
    ts.isFunctionDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    ts.isImportDeclaration(statement) ||
    ts.isImportEqualsDeclaration(statement) ||
    ts.isExportDeclaration(statement) ||
    ts.isEmptyStatement(statement)
  );
}

export function moduleOf(file: Pick<OpenFile, 'checker'>, specifier: ts.Expression): ts.SourceFile | undefined {
  return file.checker.getSymbolAtLocation(specifier)?.declarations?.find((node) => ts.isSourceFile(node));
}

function declaresNoSideEffects(fileName: string): boolean {
  for (let folder = posix.dirname(fileName); folder.includes('node_modules'); folder = posix.dirname(folder)) {
    const text = ts.sys.readFile(posix.join(folder, 'package.json'));
    if (text === undefined) continue;
    try {
      const manifest: unknown = JSON.parse(text);
      const isNamed = typeof manifest === 'object' && manifest !== null && 'name' in manifest;
      if (isNamed) return 'sideEffects' in manifest && manifest.sideEffects === false;
    } catch {
      return false;
    }
  }
  return false;
}
