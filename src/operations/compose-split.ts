import ts from 'typescript';
import { applyEdits, type TextEdit } from './text-edits.ts';
import { endOfLine, endWithComment, importRemovalEdits } from './remove-imports.ts';
import { hasModifier, type ImportBinding, type TopLevelUnit } from './top-level-units.ts';
import { headCommentBlocks } from './preconditions.ts';
import { importStyle, renderNamed, siblingSpecifier, type ImportStyle } from './import-style.ts';
import { LICENCE, runRemovalEdit, runsOf, startWithComments, type Run } from './statement-ranges.ts';
import type { ModuleUses } from './module-uses.ts';
import type { OpenFile } from './workbench.ts';

export interface SplitParts {
  readonly file: OpenFile;
  readonly uses: ModuleUses;
  readonly moved: ReadonlySet<TopLevelUnit>;
  /** Imports of the source that only the moved units used. */
  readonly orphaned: ReadonlySet<ImportBinding>;
  /** Repository path of the new module. */
  readonly target: string;
}

/** What the linter was told for the whole file holds for declarations that leave it too. */
const LINT_SWITCH = /\/\*\s*(?:es|ox)lint-disable(?:\s|$)/;

/** The two texts of a split: cut and pasted, never printed, so that layout and comments stay as they were. */
export function composeSplit(parts: SplitParts): { source: string; target: string } {
  const { sourceFile } = parts.file;
  const statements = new Set([...parts.moved].flatMap((unit) => unit.statements));
  const runs = runsOf(sourceFile, statements);
  const style = importStyle(sourceFile);
  const removals = [
    ...runs.map((run) => runRemovalEdit(sourceFile.text, run)),
    ...importRemovalEdits(sourceFile, parts.orphaned),
  ];
  return {
    source: applyEdits(sourceFile.text, [...removals, ...bridge(parts, style, removals)]),
    target: composeTarget(parts, style, runs),
  };
}

function composeTarget(parts: SplitParts, style: ImportStyle, runs: readonly Run[]): string {
  const { sourceFile } = parts.file;
  const gap = style.newLine + style.newLine;
  const head = headCommentBlocks(sourceFile).filter((block) => LICENCE.test(block) || LINT_SWITCH.test(block));
  const needed = new Set([...parts.moved].flatMap((unit) => [...parts.uses.importsUsedBy(unit)]));
  const blocks = [
    head.join(gap),
    targetImports(parts, style, needed).join(style.newLine),
    ...runs.map((run) => exportedRun(sourceFile, run)),
  ];
  return blocks.filter((block) => block !== '').join(gap) + style.newLine;
}

/** A declaration that was private has to be exported now, from a module that nobody but the source is told of. */
function exportedRun(sourceFile: ts.SourceFile, run: Run): string {
  const edits = run.statements
    .filter((statement) => !hasModifier(statement, ts.SyntaxKind.ExportKeyword))
    .map((statement) => statement.getStart(sourceFile) - run.start)
    .map((offset) => ({ start: offset, end: offset, text: 'export ' }));
  return applyEdits(sourceFile.text.slice(run.start, run.end), edits);
}

/** The new module stands beside the old one, so that specifiers stay right as they are; their order is the author's. */
function targetImports(parts: SplitParts, style: ImportStyle, needed: ReadonlySet<ImportBinding>): string[] {
  const { sourceFile } = parts.file;
  const byDeclaration = Map.groupBy(needed, (binding) => binding.declaration);
  return [...byDeclaration]
    .sort(([left], [right]) => left.pos - right.pos)
    .flatMap(([declaration, bindings]) => {
      if (!ts.isImportDeclaration(declaration)) return [];
      const specifier = declaration.moduleSpecifier;
      const from = specifier.getText(sourceFile).slice(1, -1);
      const after = sourceFile.text.slice(specifier.end, declaration.end).replace(/;$/, '');
      const whole = bindings.filter((binding) => !ts.isImportSpecifier(binding.node)).map(wholeModuleClause);
      const specifiers = bindings.map(({ node }) => node).filter((node) => ts.isImportSpecifier(node));
      const named = specifiers.sort((left, right) => left.pos - right.pos).map(specifierText);
      return [
        ...whole.map(
          (clause) => `import type ${clause} from ${specifier.getText(sourceFile)}${after}${style.semicolon}`,
        ),
        ...(named.length === 0 ? [] : [renderNamed(style, { keyword: 'import type', names: named, from, after })]),
      ];
    });
}

function wholeModuleClause({ node, name }: ImportBinding): string {
  return ts.isNamespaceImport(node) ? `* as ${name}` : name;
}

/** `a as b`, without a `type` of its own: the whole statement is one. */
function specifierText(node: ts.ImportSpecifier): string {
  const { propertyName, name } = node;
  return propertyName === undefined ? name.text : `${propertyName.getText()} as ${name.text}`;
}

/** What the source gets in place of the moved declarations: an import of those it uses, a re-export of all that it exported. */
function bridge(parts: SplitParts, style: ImportStyle, removals: readonly TextEdit[]): TextEdit[] {
  const from = siblingSpecifier(parts.file, parts.target);
  const stillUsed = new Set(
    parts.uses.units.filter((unit) => !parts.moved.has(unit)).flatMap((unit) => [...parts.uses.unitsUsedBy(unit)]),
  );
  const moved = [...parts.moved];
  const imported = moved.filter((unit) => stillUsed.has(unit)).flatMap((unit) => unit.names);
  const exported = moved.filter((unit) => unit.exported).flatMap((unit) => unit.names);
  const named = (keyword: string, names: string[]) =>
    names.length === 0 ? '' : renderNamed(style, { keyword, names: names.sort(), from }) + style.newLine;
  const [imports, exports] = [named('import type', imported), named('export type', exported)];
  // Linters want a blank line where the imports end.
  const follows =
    imports !== '' || parts.file.sourceFile.statements.some((statement) => ts.isImportDeclaration(statement));
  const block = exports !== '' && follows ? style.newLine + exports : exports;
  const place = imports === '' ? null : placeAmongSorted(parts, from, removals);
  if (place === null) return imports + block === '' ? [] : [insertion(parts, imports + block, removals)];
  const sorted = { start: place, end: place, text: imports };
  if (block === '') return [sorted];
  const last = insertion(parts, block, removals);
  return last.start === place ? [{ ...sorted, text: imports + block }] : [sorted, last];
}

/** Where an import belongs in a file that keeps its imports of siblings in alphabetical order; null where it shows no such order. */
function placeAmongSorted(parts: SplitParts, from: string, removals: readonly TextEdit[]): number | null {
  const { sourceFile } = parts.file;
  const siblings = sourceFile.statements
    .filter((statement) => ts.isImportDeclaration(statement))
    .filter((statement) => specifierOf(statement).startsWith('./'));
  const keyOf = ALPHABETS.find((key) => isSorted(siblings.map((statement) => key(specifierOf(statement)))));
  if (siblings.length < 2 || keyOf === undefined) return null;
  const staying = siblings.filter((statement) => !isRemoved(sourceFile, statement, removals));
  const next = staying.find((statement) => keyOf(specifierOf(statement)) > keyOf(from));
  if (next !== undefined) {
    return next === sourceFile.statements[0] ? next.getStart(sourceFile) : startWithComments(sourceFile, next);
  }
  const last = staying.at(-1);
  return last === undefined ? null : endOfLine(sourceFile.text, endWithComment(sourceFile.text, last));
}

/** Some put capitals first, some go by the letter alone. */
const ALPHABETS: readonly ((specifier: string) => string)[] = [(text) => text, (text) => text.toLowerCase()];

function isSorted(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key);
}

function specifierOf({ moduleSpecifier }: ts.ImportDeclaration): string {
  return ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
}

function isRemoved(sourceFile: ts.SourceFile, statement: ts.Statement, removals: readonly TextEdit[]): boolean {
  return removals.some((edit) => edit.start <= statement.getStart(sourceFile) && statement.end <= edit.end);
}

/** Behind the last import that stays; without imports, before the first statement and its comments. */
function insertion(parts: SplitParts, text: string, removals: readonly TextEdit[]): TextEdit {
  const { sourceFile } = parts.file;
  const newLine = text.endsWith('\r\n') ? '\r\n' : '\n';
  const imports = sourceFile.statements.filter((statement) => ts.isImportDeclaration(statement));
  const last = imports.findLast((statement) => !isRemoved(sourceFile, statement, removals));
  if (last !== undefined) {
    const at = endOfLine(sourceFile.text, endWithComment(sourceFile.text, last));
    return { start: at, end: at, text };
  }
  const first = imports[0] ?? sourceFile.statements.find((statement) => !isPrologue(statement));
  const at = first === undefined ? 0 : startWithComments(sourceFile, first);
  return { start: at, end: at, text: text + newLine };
}

function isPrologue(statement: ts.Statement): boolean {
  return ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);
}
