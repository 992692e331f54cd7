import ts from 'typescript';

/** What a module gives to others: each exported name with the meanings it has, sorted. */
export function exportSurface(program: ts.Program, fileName: string): string[] {
  const checker = program.getTypeChecker();
  const sourceFile = program.getSourceFile(fileName);
  const module = sourceFile === undefined ? undefined : checker.getSymbolAtLocation(sourceFile);
  if (module === undefined) return [];
  return checker
    .getExportsOfModule(module)
    .map((symbol) => `${symbol.getName()}: ${meanings(symbol, checker)}`)
    .sort();
}

function meanings(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const target = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  const found = [
    (target.flags & ts.SymbolFlags.Value) === 0 ? '' : 'value',
    (target.flags & ts.SymbolFlags.Type) === 0 ? '' : 'type',
    (target.flags & ts.SymbolFlags.Namespace) === 0 ? '' : 'namespace',
  ];
  return found.filter((meaning) => meaning !== '').join(' and ') || 'unresolved';
}
