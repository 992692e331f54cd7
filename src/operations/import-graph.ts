import ts from 'typescript';
import type { SourceTree } from './source-tree.ts';

export interface ImportGraphEdge {
  readonly target: string;
  /** True when nothing of the edge exists at run time, as it is written. */
  readonly typeOnly: boolean;
  readonly reexports: boolean;
}

/** Imports between the files of the repository, by repository path. */
export type ImportGraph = ReadonlyMap<string, readonly ImportGraphEdge[]>;

/** Resolution is the checker's; a file that two programs share has the same edges in both, so it is read once. */
const edgesOfFile = new WeakMap<ts.SourceFile, readonly ImportGraphEdge[]>();

export function importGraph(program: ts.Program, tree: SourceTree): ImportGraph {
  const graph = new Map<string, readonly ImportGraphEdge[]>();
  const checker = program.getTypeChecker();
  for (const sourceFile of program.getSourceFiles()) {
    const path = tree.repositoryPath(sourceFile.fileName);
    if (path === null) continue;
    let edges = edgesOfFile.get(sourceFile);
    if (edges === undefined) edgesOfFile.set(sourceFile, (edges = readEdges(sourceFile, checker, tree)));
    graph.set(path, edges);
  }
  return graph;
}

function readEdges(sourceFile: ts.SourceFile, checker: ts.TypeChecker, tree: SourceTree): ImportGraphEdge[] {
  return sourceFile.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    if (statement.moduleSpecifier === undefined) return [];
    const symbol = checker.getSymbolAtLocation(statement.moduleSpecifier);
    const target = symbol?.declarations?.find((node) => ts.isSourceFile(node));
    const path = target === undefined ? null : tree.repositoryPath(target.fileName);
    if (path === null) return [];
    return [{ target: path, typeOnly: isTypeOnly(statement), reexports: ts.isExportDeclaration(statement) }];
  });
}

function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const clause = statement.importClause;
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every((element) => element.isTypeOnly);
}

/** Everything that could see a change of these files: their importers, and through re-exports the importers of those. */
export function importersOf(graph: ImportGraph, paths: Iterable<string>): Set<string> {
  const found = new Set<string>();
  const waiting = [...paths];
  const seen = new Set(waiting);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const [importer, edges] of graph) {
      const toHere = edges.filter((edge) => edge.target === path);
      if (toHere.length === 0) continue;
      found.add(importer);
      if (!seen.has(importer) && toHere.some((edge) => edge.reexports)) {
        seen.add(importer);
        waiting.push(importer);
      }
    }
  }
  return found;
}
