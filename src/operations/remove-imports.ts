import ts from 'typescript';
import { importStyle } from './import-style.ts';
import type { ImportBinding } from './top-level-units.ts';
import type { TextEdit } from './text-edits.ts';

/** A directive above an import would silently apply to whatever comes after it. */
const DIRECTIVE_COMMENT =
  /(?:eslint-disable-next-line|@ts-ignore|@ts-expect-error|prettier-ignore|biome-ignore|oxlint-disable-next-line)/;

/** The edits that take `bindings` out of their import declarations; a declaration left with none goes whole. */
export function importRemovalEdits(sourceFile: ts.SourceFile, bindings: ReadonlySet<ImportBinding>): TextEdit[] {
  const byDeclaration = Map.groupBy(bindings, (binding) => binding.declaration);
  return [...byDeclaration].flatMap(([declaration, removed]) => {
    if (removesWhole(declaration, removed)) return [wholeStatementEdit(sourceFile, declaration)];
    const clause = ts.isImportDeclaration(declaration) ? declaration.importClause : undefined;
    return clause === undefined ? [] : clauseEdits(sourceFile, clause, removed);
  });
}

export function removesWhole(declaration: ImportBinding['declaration'], removed: readonly ImportBinding[]): boolean {
  return removed.length === bindingCount(declaration);
}

function bindingCount(declaration: ImportBinding['declaration']): number {
  if (ts.isImportEqualsDeclaration(declaration)) return 1;
  const clause = declaration.importClause;
  const named = clause?.namedBindings;
  const inBraces = named === undefined ? 0 : ts.isNamespaceImport(named) ? 1 : named.elements.length;
  return inBraces + (clause?.name === undefined ? 0 : 1);
}

/**
 * Deletes a statement with its line end and a comment behind it; comments above stay (the first may be the licence), but for a
 * directive. No blank line is left double or at the start of the file.
 */
function wholeStatementEdit(sourceFile: ts.SourceFile, statement: ts.Statement): TextEdit {
  const text = sourceFile.text;
  const start = startWithDirectives(sourceFile, statement);
  const end = endOfLine(text, endWithComment(text, statement));
  const before = text.slice(0, start);
  const isAfterGap = before === '' || /\n[ \t]*\r?\n[ \t]*$/.test(before);
  return { start, end: isAfterGap ? skipBlankLines(text, end) : end, text: '' };
}

function startWithDirectives(sourceFile: ts.SourceFile, statement: ts.Statement): number {
  const text = sourceFile.text;
  let start = statement.getStart(sourceFile);
  for (const comment of (ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? []).toReversed()) {
    const isAttached = /^[ \t]*\r?\n?[ \t]*$/.test(text.slice(comment.end, start));
    if (!isAttached || !DIRECTIVE_COMMENT.test(text.slice(comment.pos, comment.end))) break;
    start = comment.pos;
  }
  return start;
}

/** The end of a statement, or of a comment on its last line. */
export function endWithComment(text: string, statement: ts.Node): number {
  return ts.getTrailingCommentRanges(text, statement.end)?.at(-1)?.end ?? statement.end;
}

export function endOfLine(text: string, from: number): number {
  const rest = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(from));
  return rest === null ? from : from + rest[0].length;
}

export function skipBlankLines(text: string, from: number): number {
  const blank = /^(?:[ \t]*\r?\n)*/.exec(text.slice(from));
  return from + (blank?.[0].length ?? 0);
}

function clauseEdits(
  sourceFile: ts.SourceFile,
  clause: ts.ImportClause,
  removed: readonly ImportBinding[],
): TextEdit[] {
  const nodes = new Set<ts.Node>(removed.map((binding) => binding.node));
  const named = clause.namedBindings;
  if (named === undefined) return [];
  const inBraces = ts.isNamespaceImport(named) ? [named] : named.elements;
  if (clause.name !== undefined && inBraces.every((node) => nodes.has(node))) {
    return [{ start: clause.name.end, end: named.end, text: '' }];
  }
  const edits: TextEdit[] = [];
  if (clause.name !== undefined && nodes.has(clause)) {
    edits.push({ start: clause.name.getStart(sourceFile), end: named.getStart(sourceFile), text: '' });
  }
  if (ts.isNamespaceImport(named)) return edits;
  return [...edits, ...(joinedLine(sourceFile, named, nodes) ?? elementEdits(named.elements, nodes))];
}

/** A list that was broken over lines and now fits on one is joined, as the usual formatters want it. */
function joinedLine(
  sourceFile: ts.SourceFile,
  named: ts.NamedImports,
  removed: ReadonlySet<ts.Node>,
): TextEdit[] | null {
  const written = named.getText(sourceFile);
  if (!written.includes('\n') || /\/[/*]/.test(written) || !named.elements.some((element) => removed.has(element)))
    return null;
  const style = importStyle(sourceFile);
  const kept = named.elements.filter((element) => !removed.has(element)).map((element) => element.getText(sourceFile));
  const list = `{${style.padding}${kept.join(', ')}${style.padding}}`;
  const { parent: clause } = named;
  const around = clause.parent.getText(sourceFile).length - written.length;
  if (around + list.length > style.width) return null;
  return [{ start: named.getStart(sourceFile), end: named.end, text: list }];
}

/** Each removed name goes with the comma behind it; those at the end go with the comma before, so that a trailing comma stays. */
function elementEdits(elements: ts.NodeArray<ts.ImportSpecifier>, removed: ReadonlySet<ts.Node>): TextEdit[] {
  const lastKept = elements.findLastIndex((element) => !removed.has(element));
  const edits: TextEdit[] = [];
  for (const [index, element] of elements.entries()) {
    const next = elements[index + 1];
    if (index < lastKept && next !== undefined && removed.has(element)) {
      edits.push({ start: element.getFullStart(), end: next.getFullStart(), text: '' });
    }
  }
  const kept = elements[lastKept];
  const last = elements.at(-1);
  if (kept !== undefined && last !== undefined && last !== kept) {
    edits.push({ start: kept.end, end: last.end, text: '' });
  }
  return edits;
}
