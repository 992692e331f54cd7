import ts from 'typescript';
import { sameModule } from './module-paths.ts';
import type { Workbench } from './workbench.ts';

/** A test that puts a double in the place of an export: it relies on that name being a plain export of that module. */
interface Spy {
  readonly from: string;
  /** Module specifier as written in `from`. */
  readonly specifier: string;
  readonly name: string;
  /** What is replaced, as the test says it: `render.parse`. */
  readonly subject: string;
}

/** What a name of a test file stands for: a module as a whole, or one of its exports (then a spy on a method of it is meant). */
interface Imported {
  readonly specifier: string;
  readonly exported: string | null;
}

const SPYING = new Set([
  'spyOn',
  'stub',
  'spy',
  'mock',
  'method',
  'replace',
  'replaceProperty',
  'fake',
  'getter',
  'setter',
]);
const BY_NAME = new Set(['__get__', '__set__', '__with__']);
const MODULE_MOCKS = new Set(['mock', 'doMock', 'unstable_mockModule', 'module']);
const MENTIONS_DOUBLES = /\b(?:spyOn|stub|spy|mock|doMock|replace(?:Property)?|unstable_mockModule|rewire|__get__)\b/;

const known = new WeakMap<Workbench, readonly Spy[]>();

/** Names of the module at `path` that a test spies on, stubs or mocks, with the test. */
export function spiedNames(bench: Workbench, path: string): Map<string, string> {
  let all = known.get(bench);
  if (all === undefined) known.set(bench, (all = bench.tree.sourceFiles.flatMap((from) => spiesIn(bench, from))));
  return new Map(
    all
      .filter(({ from, specifier }) => sameModule(bench.tree, { from, specifier }, path))
      .map(({ name, from, subject }) => [name, `${from} puts a double in the place of ${subject}`]),
  );
}

function spiesIn(bench: Workbench, from: string): Spy[] {
  const text = bench.tree.read(from) ?? '';
  if (!MENTIONS_DOUBLES.test(text)) return [];
  const sourceFile = ts.createSourceFile(from, text, ts.ScriptTarget.Latest, true);
  const modules = new Map<string, Imported>();
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node) => {
    rememberModule(node, modules);
    if (ts.isCallExpression(node)) calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return calls.flatMap((call) => spiesOfCall(call, modules)).map((spy) => ({ ...spy, from }));
}

/** Import declarations, and `const m = await import(…)`, `require(…)`, `rewire(…)`. */
function rememberModule(node: ts.Node, modules: Map<string, Imported>): void {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const specifier = node.moduleSpecifier.text;
    const named = node.importClause?.namedBindings;
    if (node.importClause?.name !== undefined) modules.set(node.importClause.name.text, { specifier, exported: null });
    if (named !== undefined && ts.isNamespaceImport(named)) modules.set(named.name.text, { specifier, exported: null });
    if (named !== undefined && ts.isNamedImports(named)) {
      for (const { name, propertyName } of named.elements) {
        modules.set(name.text, { specifier, exported: (propertyName ?? name).text });
      }
    }
  }
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
    const loaded = ts.isAwaitExpression(node.initializer) ? node.initializer.expression : node.initializer;
    const specifier = ts.isCallExpression(loaded) ? loaded.arguments[0] : undefined;
    const isLoading = ts.isCallExpression(loaded) && /^(?:import|require|rewire)$/.test(loaded.expression.getText());
    if (isLoading && specifier !== undefined && ts.isStringLiteral(specifier)) {
      modules.set(node.name.text, { specifier: specifier.text, exported: null });
    }
  }
}

function spiesOfCall(call: ts.CallExpression, modules: ReadonlyMap<string, Imported>): Omit<Spy, 'from'>[] {
  const callee = calleeOf(call);
  const [first, second] = call.arguments;
  if (first === undefined) return [];
  if (BY_NAME.has(callee.name) && ts.isStringLiteralLike(first)) return doubleOf(callee.object, first.text, modules);
  if (SPYING.has(callee.name) && second !== undefined && ts.isStringLiteralLike(second)) {
    return doubleOf(innermost(first).getText(), second.text, modules);
  }
  if (MODULE_MOCKS.has(callee.name) && second !== undefined) {
    const specifier = mockedSpecifier(first);
    return specifier === null ? [] : namesOfFactory(second).map((name) => ({ specifier, name, subject: name }));
  }
  return [];
}

function doubleOf(object: string, member: string, modules: ReadonlyMap<string, Imported>): Omit<Spy, 'from'>[] {
  const imported = modules.get(object);
  if (imported === undefined) return [];
  return [{ specifier: imported.specifier, name: imported.exported ?? member, subject: `${object}.${member}` }];
}

function calleeOf(call: ts.CallExpression): { object: string; name: string } {
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee)) return { object: '', name: callee.getText() };
  return { object: callee.expression.getText(), name: callee.name.text };
}

/** `module as any` is the module. */
function innermost(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) || ts.isParenthesizedExpression(node) ? innermost(node.expression) : node;
}

/** The first argument of a module mock: a string, or Vitest's `import('…')`. */
function mockedSpecifier(node: ts.Expression): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  const inner =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments[0] : undefined;
  return inner !== undefined && ts.isStringLiteralLike(inner) ? inner.text : null;
}

/** The properties of every object literal in the factory: more than it returns, which is the safe side. */
function namesOfFactory(factory: ts.Node): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isObjectLiteralElementLike(node) && node.name !== undefined && ts.isIdentifier(node.name)) {
      names.push(node.name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(factory);
  return names;
}
