import ts from 'typescript';
import { layoutFree, tokensOf } from './token-streams.ts';

/**
 * The JavaScript the compiler makes of a file, one entry per top-level statement, without imports (elided or not, they are judged by
 * what they load) and without the lines that only mark a module. Null when nothing is emitted, as for declaration files.
 */
export function emittedStatements(program: ts.Program, fileName: string): string[] | null {
  const sourceFile = program.getSourceFile(fileName);
  if (sourceFile === undefined) return null;
  let code: string | null = null;
  program.emit(sourceFile, (name, text) => {
    if (/\.(?:[cm]?js|jsx)$/.test(name)) code = text;
  });
  if (code === null) return null;
  const emitted = ts.createSourceFile('emitted.jsx', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JSX);
  return emitted.statements
    .filter((statement) => !ts.isImportDeclaration(statement))
    .map((statement) => layoutFree(tokensOf(statement, emitted)).join(' '))
    .filter((statement) => !isModuleMark(statement));
}

function isModuleMark(statement: string): boolean {
  return (
    statement === 'export { }' ||
    statement === "'use strict'" ||
    statement.startsWith("Object . defineProperty ( exports , '__esModule'")
  );
}

/** How many statements of `before` are gone in `after`, or null when something else changed as well. */
export function statementsDropped(before: readonly string[], after: readonly string[]): number | null {
  let position = 0;
  for (const statement of before) if (statement === after[position]) position += 1;
  return position === after.length ? before.length - after.length : null;
}
