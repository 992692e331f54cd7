import ts from 'typescript';
import { sameModule } from './module-paths.ts';
import type { Workbench } from './workbench.ts';

/** A test that puts a double in the place of an export: it relies on that name being a plain export of that module. */
interface Spy {
  readonly from: string;
  /** Module specifier as written in `from`. */
  readonly specifier: string;
  readonly name: string;
}

const SPYING = new Set(['spyOn', 'stub', 'spy', 'mock', 'method', 'replace', 'replaceProperty', 'fake', 'getter', 'setter']);
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
      .map(({ name, from }) => [name, `${from} spies on ${name}`]),
  );
}

function spiesIn(bench: Workbench, from: string): Spy[] {
  const text = bench.tree.read(from) ?? '';
  if (!MENTIONS_DOUBLES.test(text)) return [];
  const sourceFile = ts.createSourceFile(from, text, ts.ScriptTarget.Latest, true);
  const modules = new Map<string, string>();
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node) => {
    rememberModule(node, modules);
    if (ts.isCallExpression(node)) calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return calls.flatMap((call) => spiesOfCall(call, modules)).map((spy) => ({ ...spy, from }));
}

/** `import * as m from`, `import m from`, `const m = await import(…)`, `require(…)`, `rewire(…)`: names that stand for a module. */
function rememberModule(node: ts.Node, modules: Map<string, string>): void {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const named = node.importClause?.namedBindings;
    if (node.importClause?.name !== undefined) modules.set(node.importClause.name.text, node.moduleSpecifier.text);
    if (named !== undefined && ts.isNamespaceImport(named)) modules.set(named.name.text, node.moduleSpecifier.text);
  }
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
    const loaded = ts.isAwaitExpression(node.initializer) ? node.initializer.expression : node.initializer;
    const specifier = ts.isCallExpression(loaded) ? loaded.arguments[0] : undefined;
    const isLoading = ts.isCallExpression(loaded) && /^(?:import|require|rewire)$/.test(loaded.expression.getText());
    if (isLoading && specifier !== undefined && ts.isStringLiteral(specifier)) {
      modules.set(node.name.text, specifier.text);
    }
  }
}

function spiesOfCall(call: ts.CallExpression, modules: ReadonlyMap<string, string>): Omit<Spy, 'from'>[] {
  const callee = calleeOf(call);
  const [first, second] = call.arguments;
  if (first === undefined) return [];
  if (BY_NAME.has(callee.name) && ts.isStringLiteralLike(first)) {
    const specifier = modules.get(callee.object);
    return specifier === undefined ? [] : [{ specifier, name: first.text }];
  }
  if (SPYING.has(callee.name) && second !== undefined && ts.isStringLiteralLike(second)) {
    const specifier = modules.get(innermost(first).getText());
    return specifier === undefined ? [] : [{ specifier, name: second.text }];
  }
  if (MODULE_MOCKS.has(callee.name) && second !== undefined) {
    const specifier = mockedSpecifier(first);
    return specifier === null ? [] : namesOfFactory(second).map((name) => ({ specifier, name }));
  }
  return [];
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
  const inner = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments[0] : undefined;
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
