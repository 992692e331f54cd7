import ts from 'typescript';
import type { OpenFile } from './workbench.ts';
import type { Refusal } from './protocol.ts';

const GENERATED = /@generated|\bauto-?generated\b|\bdo not (?:edit|modify)\b|\bgenerated (?:by|from|file|code)\b/i;

/** Why a file is left alone whatever the operation; null when nothing speaks against it. */
export function fileRefusal(file: OpenFile): Refusal | null {
  const { sourceFile, program } = file;
  const no = (reason: Refusal['reason'], detail: string) => ({ symbols: [], reason, detail });
  if (GENERATED.test(headComments(sourceFile))) return no('generated-file', 'its head says that it is generated');
  const broken = program.getSyntacticDiagnostics(sourceFile)[0];
  if (broken !== undefined) {
    return no('unreadable', `it does not parse: ${ts.flattenDiagnosticMessageText(broken.messageText, ' ')}`);
  }
  if (/^\s*\/\/\s*@ts-nocheck/m.test(headComments(sourceFile))) {
    return no('unreadable', '@ts-nocheck switches off the checks that would prove a change');
  }
  if (sourceFile.isDeclarationFile) return no('not-a-module', 'it only declares what is written elsewhere');
  if (!ts.isExternalModule(sourceFile)) return no('not-a-module', 'a file without import or export shares its names');
  if (/\beval\s*\(/.test(sourceFile.text)) return no('kept-on-purpose', 'eval may use any name');
  return null;
}

/** The comments before the first statement. */
function headComments(sourceFile: ts.SourceFile): string {
  return headCommentBlocks(sourceFile).join('\n');
}

/** The same in blocks: lines of comment without a blank line between them are one. */
export function headCommentBlocks(sourceFile: ts.SourceFile): string[] {
  const { text } = sourceFile;
  const ranges = ts.getLeadingCommentRanges(text, sourceFile.statements[0]?.getFullStart() ?? 0) ?? [];
  const blocks: { pos: number; end: number }[] = [];
  for (const { pos, end } of ranges) {
    const last = blocks.at(-1);
    if (last !== undefined && !/\n[ \t]*\r?\n/.test(text.slice(last.end, pos))) last.end = end;
    else blocks.push({ pos, end });
  }
  return blocks.map((block) => text.slice(block.pos, block.end));
}
