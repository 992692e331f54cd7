import { walk, type Node, type ParsedModule } from './syntax.ts';

export interface UnusedNames {
  readonly unusedImports: readonly string[];
  readonly unusedDeclarations: readonly string[];
}

/**
 * Imported names and private top-level declarations that nothing in the file mentions. By name alone, so that any mention counts
 * as a use, also a shadowing one, a documentation tag or a declaration that uses itself: what is reported is a lower bound.
 * A script (no import, no export) has no private declarations: its names are global.
 */
export function findUnusedNames(path: string, module: ParsedModule): UnusedNames {
  if (!module.isModule) return { unusedImports: [], unusedDeclarations: [] };
  const imported = importedNames(module, path);
  const declared = privateDeclarations(module.program.body);
  const mentions = countMentions(module.program);
  const documented = wordsOfDocumentation(module.comments);
  const unused = (name: string, own: number) => (mentions.get(name) ?? 0) <= own && !documented.has(name);
  return {
    unusedImports: imported.filter((name) => unused(name, 0)),
    unusedDeclarations: [...declared].filter(([name, own]) => unused(name, own)).map(([name]) => name),
  };
}

function importedNames(module: ParsedModule, path: string): string[] {
  const names = module.imports.flatMap((statement) => statement.entries.map((entry) => entry.localName.value));
  // The classic JSX transform uses React without naming it; which transform applies stands outside the file.
  return path.endsWith('x') ? names.filter((name) => name !== 'React' && name !== 'h') : names;
}

/** Name and how many of its mentions are the declarations themselves (overloads declare a name several times). */
function privateDeclarations(body: readonly Node[]): Map<string, number> {
  const declared = new Map<string, number>();
  for (const statement of body) {
    for (const name of declaredNames(statement)) declared.set(name, (declared.get(name) ?? 0) + 1);
  }
  return declared;
}

function declaredNames(statement: Node): string[] {
  switch (statement.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'ClassDeclaration':
      return statement.declare === true || statement.id === null ? [] : [statement.id.name];
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
      return statement.declare ? [] : [statement.id.name];
    case 'VariableDeclaration':
      if (statement.declare === true || statement.kind !== 'const') return [];
      return statement.declarations.flatMap((declarator) =>
        declarator.id.type === 'Identifier' ? [declarator.id.name] : [],
      );
    default:
      return [];
  }
}

function countMentions(program: Node): Map<string, number> {
  const mentions = new Map<string, number>();
  walk(program, (node, parent) => {
    if (node.type !== 'Identifier' && node.type !== 'JSXIdentifier') return;
    if (parent !== null && (isImportBinding(parent) || isPlainKey(node, parent))) return;
    mentions.set(node.name, (mentions.get(node.name) ?? 0) + 1);
  });
  return mentions;
}

function isImportBinding(parent: Node): boolean {
  return (
    parent.type === 'ImportSpecifier' ||
    parent.type === 'ImportDefaultSpecifier' ||
    parent.type === 'ImportNamespaceSpecifier'
  );
}

/** `x` in `a.x` and in `{ x: 1 }` names no variable; in `{ x }` it does (there the value is visited too). */
function isPlainKey(node: Node, parent: Node): boolean {
  if (parent.type === 'MemberExpression') return !parent.computed && parent.property === node;
  const keyed =
    parent.type === 'Property' ||
    parent.type === 'MethodDefinition' ||
    parent.type === 'PropertyDefinition' ||
    parent.type === 'TSPropertySignature' ||
    parent.type === 'TSMethodSignature';
  return keyed && !parent.computed && parent.key === node;
}

/** Collected once: a hostile file can hold very many names and very many comments. */
function wordsOfDocumentation(comments: readonly string[]): ReadonlySet<string> {
  const documentation = comments.filter((comment) => comment.startsWith('*') || comment.includes('@jsx'));
  return new Set(documentation.flatMap((comment) => comment.match(/[\p{ID_Continue}$]+/gu) ?? []));
}
