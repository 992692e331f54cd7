import ts from 'typescript';

/** The tokens of a node without comments and white space: what the compiler sees of it. */
export function tokensOf(node: ts.Node, sourceFile: ts.SourceFile): string[] {
  const tokens: string[] = [];
  const visit = (inner: ts.Node) => {
    if (inner.kind >= ts.SyntaxKind.FirstJSDocNode && inner.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const children = inner.getChildren(sourceFile);
    if (children.length > 0) children.forEach(visit);
    else if (inner.end > inner.getStart(sourceFile)) tokens.push(inner.getText(sourceFile));
  };
  visit(node);
  return tokens;
}

/** One entry per top-level statement that is neither an import nor a list of re-exports, without a leading `export`. */
export function declarationStreams(sourceFile: ts.SourceFile): string[] {
  return sourceFile.statements
    .filter((statement) => !ts.isImportDeclaration(statement) && !isExportList(statement))
    .map((statement) => {
      const tokens = layoutFree(tokensOf(statement, sourceFile));
      return (tokens[0] === 'export' && tokens[1] !== 'default' ? tokens.slice(1) : tokens).join(' ');
    });
}

function isExportList(statement: ts.Statement): boolean {
  return ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined;
}

/** Token-equal but for what a formatter may change. */
export function isEqualButForLayout(left: string, right: string, fileName: string): boolean {
  const tokens = (text: string) => {
    const sourceFile = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
    return layoutFree(tokensOf(sourceFile, sourceFile)).join(' ');
  };
  return tokens(left) === tokens(right);
}

/** Without semicolons, trailing commas, the choice of quotes and a leading `|`: what line breaking adds or takes. */
export function layoutFree(tokens: readonly string[]): string[] {
  return tokens
    .filter((token, index) => token !== ';' && !(token === ',' && /^[)\]}>]$/.test(tokens[index + 1] ?? '')))
    .filter((token, index, left) => !(/^[|&]$/.test(token) && /^[=(<:?,[>{]$/.test(left[index - 1] ?? '')))
    .map((token) => (/^['"][^'"\\]*['"]$/.test(token) ? `'${token.slice(1, -1)}'` : token));
}

/** What of `left` is missing in `right`, counting repetitions. */
export function missingFrom(left: readonly string[], right: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const entry of right) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return left.filter((entry) => {
    const count = counts.get(entry) ?? 0;
    counts.set(entry, count - 1);
    return count <= 0;
  });
}
