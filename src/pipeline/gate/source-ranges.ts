import { parseSync } from 'oxc-parser';

/** Lines of a text, counted from 1, both ends included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export interface SourceRanges {
  /** Declarations and members by name, at any depth, each with the comment directly above it. */
  readonly named: readonly (LineRange & { readonly name: string })[];
  /** Import declarations and exports by name. */
  readonly links: readonly LineRange[];
  /** Local names in them. */
  readonly linked: readonly string[];
  /** Top-level statements. */
  readonly statements: readonly LineRange[];
}

const PARSED = /\.[cm]?[jt]sx?$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Null for a language or a text that the parser does not read. */
export function findRanges(path: string, text: string): SourceRanges | null {
  if (!PARSED.test(path)) return null;
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) return null;
  const toLines = lineFinder(text);
  const lines = text.split('\n');
  const body = program.body as unknown as readonly Node[];
  const named: (LineRange & { name: string })[] = [];
  for (const statement of body) {
    collectNamed(statement, statement, (name, node) => named.push({ name, ...withComment(toLines(node), lines) }));
  }
  const links = body.filter(isLink);
  return {
    named,
    links: links.map(toLines),
    linked: links.flatMap((link) => list(link.specifiers).flatMap((specifier) => nameOf(specifier.local) ?? [])),
    statements: body.map(toLines),
  };
}

function isLink(node: Node): boolean {
  const byName = node.type === 'ExportNamedDeclaration' && !isNode(node.declaration);
  return node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration' || byName;
}

/** `whole` is the statement to which a name belongs: `export const a = …`, not `a = …` alone. */
function collectNamed(node: Node, whole: Node, found: (name: string, node: Node) => void): void {
  const name = nameOf(node.id) ?? nameOf(node.key);
  if (name !== null) found(name, whole);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'id' || key === 'key') continue;
    for (const child of Array.isArray(value) ? list(value) : isNode(value) ? [value] : []) {
      collectNamed(child, belongsTo(node, child) ? whole : child, found);
    }
  }
}

function belongsTo(node: Node, child: Node): boolean {
  const exported = node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration';
  const single = node.type === 'VariableDeclaration' && list(node.declarations).length === 1;
  return (exported && node.declaration === child) || (single && child.type === 'VariableDeclarator');
}

function nameOf(value: unknown): string | null {
  return isNode(value) && typeof value.name === 'string' ? value.name : null;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function list(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function lineFinder(text: string): (node: Node) => LineRange {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const lineOf = (offset: number) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
  return (node) => ({ start: lineOf(node.start), end: lineOf(Math.max(node.start, node.end - 1)) });
}

function withComment(range: LineRange, lines: readonly string[]): LineRange {
  let start = range.start;
  while (start > 1 && /^\s*(?:\/\/|\/\*|\*|@\w)/.test(lines[start - 2] ?? '')) start--;
  return { start, end: range.end };
}
