import type { IndexedFile, MeasuredClass, MeasuredFunction } from '../../domain/code-index.ts';
import { findUnusedNames } from './find-unused-names.ts';
import { parseModule, walk, type Node, type ParsedModule } from './syntax.ts';

/** What one file says of itself: everything but where its imports lead. */
export type FileMeasurement = Pick<
  IndexedFile,
  'lines' | 'parsed' | 'functions' | 'classes' | 'unusedImports' | 'unusedDeclarations'
> & { readonly specifiers: readonly Specifier[] };

export interface Specifier {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

/** What is known of a file that no parser could read. */
export function unparsed(text: string): FileMeasurement {
  return {
    lines: countLines(text),
    parsed: false,
    functions: [],
    classes: [],
    unusedImports: [],
    unusedDeclarations: [],
    specifiers: [],
  };
}

export function measureFile(path: string, text: string): FileMeasurement {
  const module = parseModule(path, text);
  if (module === null) return unparsed(text);
  const lineAt = lineFinder(text);
  const functions: MeasuredFunction[] = [];
  const classes: MeasuredClass[] = [];
  walk(module.program, (node, parent) => {
    const isFunction = isFunctionNode(node);
    if (!isFunction && !isClassNode(node)) return;
    const startLine = lineAt(node.start);
    const name = nameOf(node, parent);
    if (isFunction) functions.push({ name, startLine, lines: lineAt(node.end) - startLine + 1 });
    else classes.push({ name, startLine, methods: countMethods(node) });
  });
  return {
    lines: countLines(text),
    parsed: true,
    functions,
    classes,
    ...findUnusedNames(path, module),
    specifiers: specifiersOf(module),
  };
}

/** Lines as an editor counts them: a last line without a newline counts, an empty file has none. */
function countLines(text: string): number {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Answers the line (from 1) of an offset, by binary search over line starts. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

type FunctionNode = Extract<Node, { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }>;
type ClassNode = Extract<Node, { type: 'ClassDeclaration' | 'ClassExpression' }>;

function isFunctionNode(node: Node): node is FunctionNode {
  return (
    node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'
  );
}

function isClassNode(node: Node): node is ClassNode {
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
}

function nameOf(node: FunctionNode | ClassNode, parent: Node | null): string {
  if (node.type !== 'ArrowFunctionExpression' && node.id !== null) return node.id.name;
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name;
  const keyed =
    parent?.type === 'MethodDefinition' || parent?.type === 'Property' || parent?.type === 'PropertyDefinition';
  if (keyed && parent.key.type === 'Identifier') return parent.key.name;
  if (keyed && parent.key.type === 'PrivateIdentifier') return `#${parent.key.name}`;
  return '(anonymous)';
}

/** Methods that have a body: the signatures of an overload are one method. */
function countMethods(node: ClassNode): number {
  return node.body.body.filter(
    (member) => member.type === 'MethodDefinition' && member.value.type === 'FunctionExpression',
  ).length;
}

function specifiersOf(module: ParsedModule): Specifier[] {
  const found = new Map<string, boolean>();
  const note = (specifier: string, typeOnly: boolean) => {
    found.set(specifier, (found.get(specifier) ?? true) && typeOnly);
  };
  for (const entry of module.imports) {
    const typeOnly = entry.entries.length > 0 && entry.entries.every((name) => name.isType);
    note(entry.moduleRequest.value, typeOnly);
  }
  for (const statement of module.exports) {
    for (const entry of statement.entries) {
      if (entry.moduleRequest !== null) note(entry.moduleRequest.value, entry.isType);
    }
  }
  return [...found].map(([specifier, typeOnly]) => ({ specifier, typeOnly }));
}
