import ts from 'typescript';
import { endOfLine, endWithComment, skipBlankLines } from './remove-imports.ts';
import type { TextEdit } from './text-edits.ts';

export const LICENCE = /copyright|licen[cs]e|spdx|@preserve|^\/\*!/i;

/** Statements that stand next to each other, as the text from the first comment that belongs to them to the end of the last. */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly statements: readonly ts.Statement[];
}

/** Groups statements into runs: what stands between two neighbours (blank lines, a heading comment) belongs to the run. */
export function runsOf(sourceFile: ts.SourceFile, statements: ReadonlySet<ts.Statement>): Run[] {
  const runs: Run[] = [];
  let previous: ts.Statement | undefined;
  for (const statement of sourceFile.statements) {
    const last = runs.at(-1);
    if (statements.has(statement)) {
      const end = endWithComment(sourceFile.text, statement);
      if (last !== undefined && previous !== undefined && last.statements.includes(previous)) {
        runs.splice(-1, 1, { ...last, end, statements: [...last.statements, statement] });
      } else {
        runs.push({ start: startWithComments(sourceFile, statement), end, statements: [statement] });
      }
    }
    previous = statement;
  }
  return runs;
}

/** Deletes a run and the blank lines behind it; at the end of the file, those before it. */
export function runRemovalEdit(text: string, run: Run): TextEdit {
  const end = skipBlankLines(text, endOfLine(text, run.end));
  if (end < text.length || run.start === 0) return { start: run.start, end, text: '' };
  const before = text.slice(0, run.start).trimEnd();
  return { start: before.length, end, text: before === '' ? '' : text.includes('\r\n') ? '\r\n' : '\n' };
}

/** Where the comments begin that belong to a statement: those above it with no blank line between; a licence belongs to the file. */
export function startWithComments(sourceFile: ts.SourceFile, statement: ts.Statement): number {
  const text = sourceFile.text;
  let start = statement.getStart(sourceFile, false);
  for (const comment of (ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? []).toReversed()) {
    const gap = text.slice(comment.end, start);
    const written = text.slice(comment.pos, comment.end);
    const isHead = statement === sourceFile.statements[0] && LICENCE.test(written);
    if (isHead || /\n[ \t]*\r?\n/.test(gap) || !startsItsLine(text, comment.pos)) break;
    start = comment.pos;
  }
  return start;
}

/** A comment behind the previous statement is that one's. */
function startsItsLine(text: string, position: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(0, position));
}
