import { parseSync, visitorKeys, type Node, type Program, type StaticExport, type StaticImport } from 'oxc-parser';

export type { Node, Program };

export interface ParsedModule {
  readonly program: Program;
  readonly imports: readonly StaticImport[];
  readonly exports: readonly StaticExport[];
  readonly isModule: boolean;
  /** Texts of the comments, for names that only documentation mentions. */
  readonly comments: readonly string[];
}

/** Null when the file does not parse: such a file is counted and gives no findings. */
export function parseModule(path: string, text: string): ParsedModule | null {
  try {
    // By its name the parser would refuse JSX in `.js`, where most of it stands.
    const result = /\.[cm]?js$/.test(path) ? parseSync(path, text, { lang: 'jsx' }) : parseSync(path, text);
    if (result.errors.length > 0) return null;
    return {
      program: result.program,
      imports: result.module.staticImports,
      exports: result.module.staticExports,
      isModule: result.module.hasModuleSyntax,
      comments: result.comments.map((comment) => comment.value),
    };
  } catch {
    // A native parser on hostile input: an exception is "cannot be parsed", nothing more.
    return null;
  }
}

type Field = Node | null | undefined | string | number | boolean | readonly (Node | null)[];

/** Visits every node below `root`, parents first. Iterative: hostile nesting cannot overflow the stack. */
export function walk(root: Node, visit: (node: Node, parent: Node | null) => void): void {
  const stack: { node: Node; parent: Node | null }[] = [{ node: root, parent: null }];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    visit(entry.node, entry.parent);
    const children = childrenOf(entry.node);
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = children[index];
      if (child !== undefined) stack.push({ node: child, parent: entry.node });
    }
  }
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  const fields = node as unknown as Readonly<Record<string, Field>>;
  for (const key of visitorKeys[node.type] ?? []) {
    const value = fields[key];
    if (Array.isArray(value)) children.push(...value.filter((child): child is Node => isNode(child)));
    else if (isNode(value)) children.push(value);
  }
  return children;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
