import ts from 'typescript';
import type { SourceTree } from './source-tree.ts';

/** What is compared: two programs of one project, in these files. */
export interface Comparison {
  readonly before: ts.Program;
  readonly after: ts.Program;
  readonly paths: readonly string[];
  /** New file → the file its declarations came from, where the same complaint is not a new one. */
  readonly cameFrom: ReadonlyMap<string, string>;
}

/** Complaints that the change brings, one line each. Compared by file, code and text, as the engine may not be the repository's. */
export function newDiagnostics(tree: SourceTree, comparison: Comparison): string[] {
  const after = countByKey(tree, comparison, comparison.after);
  // A clean result needs no comparison, which halves the work. Else all files are checked again: how a type is written in a message
  // may depend on what was checked before it.
  if (after.size === 0) return [];
  const before = countByKey(tree, comparison, comparison.before);
  return [...after].flatMap(([key, found]) => (found.count > (before.get(key)?.count ?? 0) ? [found.line] : []));
}

function countByKey(
  tree: SourceTree,
  comparison: Comparison,
  program: ts.Program,
): Map<string, { count: number; line: string }> {
  const counted = new Map<string, { count: number; line: string }>();
  for (const path of comparison.paths) {
    const sourceFile = program.getSourceFile(tree.absolute(path));
    if (sourceFile === undefined) continue;
    for (const diagnostic of diagnosticsOf(program, sourceFile)) {
      const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ').slice(0, 300);
      const key = `${comparison.cameFrom.get(path) ?? path}|${diagnostic.code}|${message}`;
      const known = counted.get(key);
      const line = `${path}: TS${diagnostic.code} ${message}`;
      counted.set(key, { count: (known?.count ?? 0) + 1, line });
    }
  }
  return counted;
}

function diagnosticsOf(program: ts.Program, sourceFile: ts.SourceFile): readonly ts.Diagnostic[] {
  const needsDeclarations = program.getCompilerOptions().declaration === true && !sourceFile.isDeclarationFile;
  return [
    ...program.getSyntacticDiagnostics(sourceFile),
    ...program.getSemanticDiagnostics(sourceFile),
    ...(needsDeclarations ? program.getDeclarationDiagnostics(sourceFile) : []),
  ];
}

/** Codes of "declared but never used" in its four forms: one name, all imports, all destructured, all variables. */
const UNUSED_CODES: ReadonlySet<number> = new Set([6133, 6192, 6196, 6198, 6199]);

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The spans that the compiler reports as unused. */
export function unusedSpans(program: ts.Program, sourceFile: ts.SourceFile): Span[] {
  return program.getSemanticDiagnostics(sourceFile).flatMap(({ code, start, length }) => {
    const isPlaced = start !== undefined && length !== undefined;
    return isPlaced && UNUSED_CODES.has(code) ? [{ start, end: start + length }] : [];
  });
}
