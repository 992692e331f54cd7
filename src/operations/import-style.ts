import ts from 'typescript';
import { posix } from 'node:path';
import type { OpenFile } from './workbench.ts';

/** How a file writes its imports, so that new ones look like their neighbours. */
export interface ImportStyle {
  readonly quote: "'" | '"';
  readonly semicolon: ';' | '';
  /** Between a brace and a name. */
  readonly padding: ' ' | '';
  readonly indent: string;
  readonly newLine: '\n' | '\r\n';
  /** Longest line an import may have before it is broken. */
  readonly width: number;
}

const USUAL_WIDTH = 80;

export function importStyle(sourceFile: ts.SourceFile): ImportStyle {
  const text = sourceFile.text;
  const imports = sourceFile.statements.filter((statement) => ts.isImportDeclaration(statement));
  const written = imports.map((statement) => statement.getText(sourceFile));
  const oneLine = written.filter((line) => !line.includes('\n'));
  return {
    quote: quoteOf(written.join('\n')) ?? quoteOf(text) ?? "'",
    semicolon: (written.length > 0 ? written : text.split(/\r?\n/)).some((line) => line.endsWith(';')) ? ';' : '',
    padding: oneLine.some((line) => /\{[^\s}]/.test(line)) ? '' : ' ',
    indent: /\n([ \t]+)\S/.exec(written.join('\n'))?.[1] ?? /\n(\t| {2,4})\S/.exec(text)?.[1] ?? '  ',
    newLine: text.includes('\r\n') ? '\r\n' : '\n',
    width: Math.max(USUAL_WIDTH, ...oneLine.map((line) => line.length)),
  };
}

function quoteOf(text: string): "'" | '"' | null {
  const match = /(['"])[^'"\n]*\1/.exec(text);
  return match?.[1] === '"' ? '"' : match === null ? null : "'";
}

/** `import type { a, b } from './c';`, one name a line where it would be too long. */
export function renderNamed(
  style: ImportStyle,
  parts: {
    readonly keyword: string;
    readonly names: readonly string[];
    readonly from: string;
    readonly after?: string;
  },
): string {
  const { padding, newLine, indent } = style;
  const tail = ` from ${style.quote}${parts.from}${style.quote}${parts.after ?? ''}${style.semicolon}`;
  const line = `${parts.keyword} {${padding}${parts.names.join(', ')}${padding}}${tail}`;
  if (line.length <= style.width) return line;
  return `${parts.keyword} {${newLine}${parts.names.map((name) => `${indent}${name},${newLine}`).join('')}}${tail}`;
}

/** The specifier of a sibling, with the ending that this file (else its project) gives to relative imports. */
export function siblingSpecifier(file: OpenFile, siblingPath: string): string {
  const extension = posix.extname(siblingPath);
  const stem = `./${posix.basename(siblingPath, extension)}`;
  const own = endingsOf(file.sourceFile);
  const all = own.length > 0 ? own : file.program.getSourceFiles().flatMap((other) => projectEndings(file, other));
  const ending = mostFrequent(all) ?? (needsEnding(file) ? '.js' : '');
  if (ending === '') return stem;
  return ending.startsWith('.ts') || ending.startsWith('.mts') || ending.startsWith('.cts')
    ? `${stem}${extension}`
    : `${stem}${extension.replace('ts', 'js').replace('jsx', 'js')}`;
}

/** The last ending of each relative specifier: `.js`, `.ts`, or nothing. */
function endingsOf(sourceFile: ts.SourceFile): string[] {
  return sourceFile.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const specifier = statement.moduleSpecifier;
    if (specifier === undefined || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return [];
    if (/\.(?!\.?\/)(?:json|css|svg|vue|svelte)$/.test(specifier.text)) return [];
    return [/\.[cm]?[jt]sx?$/.exec(specifier.text)?.[0] ?? ''];
  });
}

function projectEndings(file: OpenFile, other: ts.SourceFile): string[] {
  const isOwn = !other.isDeclarationFile && !other.fileName.includes('/node_modules/') && other !== file.sourceFile;
  return isOwn ? endingsOf(other) : [];
}

function mostFrequent(values: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(values, (value) => value)];
  return groups.sort((left, right) => right[1].length - left[1].length)[0]?.[0];
}

/** ECMAScript modules under Node's own resolution need the ending of the emitted file. */
function needsEnding(file: OpenFile): boolean {
  const { moduleResolution } = file.project.options;
  const isBundled = moduleResolution === ts.ModuleResolutionKind.Bundler;
  return !isBundled && file.sourceFile.impliedNodeFormat === ts.ModuleKind.ESNext;
}
