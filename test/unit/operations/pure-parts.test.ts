import ts from 'typescript';
import { array, assert, boolean, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/operations/text-edits.ts';
import { cycleFigures } from '../../../src/operations/import-cycles.ts';
import { isEqualButForLayout } from '../../../src/operations/token-streams.ts';
import { isPureExpression } from '../../../src/operations/purity.ts';
import { typesModuleNames } from '../../../src/operations/name-types-module.ts';
import type { SourceTree } from '../../../src/operations/source-tree.ts';

describe('text edits', () => {
  it('puts an insertion before a deletion that starts at the same place', () => {
    const edits = [
      { start: 2, end: 4, text: '' },
      { start: 2, end: 2, text: 'X' },
      { start: 4, end: 4, text: 'Y' },
    ];
    expect(applyEdits('abcdef', edits)).toBe('abXYef');
  });

  it('throws when two edits overlap', () => {
    const edits = [
      { start: 0, end: 3, text: '' },
      { start: 2, end: 4, text: '' },
    ];
    expect(() => applyEdits('abcdef', edits)).toThrow('overlap at offset 2');
  });
});

describe('purity', () => {
  const expression = (code: string) => {
    const file = ts.createSourceFile('a.ts', `const x = ${code};`, ts.ScriptTarget.Latest, true);
    const statement = file.statements[0] as ts.VariableStatement;
    return statement.declarationList.declarations[0]?.initializer;
  };
  it.each([
    '1',
    '-1',
    "'a' + 'b'",
    '60 * 60 * 1000',
    '{ a: [1, () => run()] }',
    'new Map([[1, 2]])',
    '/x/',
    'a ? b : 1',
    'class { x = f() }',
  ])('leaves out %s', (code) => expect(isPureExpression(expression(code))).toBe(true));
  it.each([
    'f()',
    'a.b',
    '{ ...a }',
    '[...a]',
    'a = 1',
    'i++',
    '`${a}`',
    'new Thing()',
    'await a',
    '-a',
    'a + b',
    'class { static x = f() }',
    'new Map(a)',
  ])('keeps %s', (code) => expect(isPureExpression(expression(code))).toBe(false));
});

describe('import cycles', () => {
  const graphOf = (edges: readonly { from: number; to: number; typeOnly: boolean }[]) =>
    new Map(
      Array.from({ length: 8 }, (_, file) => [
        String(file),
        edges
          .filter(({ from }) => from === file)
          .map(({ to, typeOnly }) => ({ target: String(to), typeOnly, reexports: false })),
      ]),
    );

  it('tells cycles at run time from those of types', () => {
    const edges = [
      { from: 0, to: 1, typeOnly: false },
      { from: 1, to: 0, typeOnly: false },
      { from: 2, to: 3, typeOnly: false },
      { from: 3, to: 2, typeOnly: true },
      { from: 4, to: 4, typeOnly: false },
    ];
    expect(cycleFigures(graphOf(edges))).toEqual({ valueCycles: 1, importCycles: 2, filesInCycles: 4 });
  });

  it('agrees with mutual reachability', () => {
    const edge = record({ from: integer({ min: 0, max: 7 }), to: integer({ min: 0, max: 7 }), typeOnly: boolean() });
    assert(
      property(array(edge, { maxLength: 20 }), (edges) => {
        const reaches = (start: number) => {
          const seen = new Set<number>();
          const waiting = [start];
          for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
            for (const { to } of edges.filter(({ from }) => from === file)) {
              if (!seen.has(to)) waiting.push(to);
              seen.add(to);
            }
          }
          return seen;
        };
        const files = Array.from({ length: 8 }, (_, file) => reaches(file));
        const inCycle = files.filter((seen, file) =>
          [...seen].some((other) => other !== file && files[other]?.has(file)),
        );
        expect(cycleFigures(graphOf(edges)).filesInCycles).toBe(inCycle.length);
      }),
    );
  });
});

it.each([
  ['const a = [1, 2,];', 'const a = [\n  1,\n  2\n]', true],
  ["import { a } from 'x'", 'import { a } from "x";', true],
  ['type A = B | C;', 'type A =\n  | B\n  | C;', true],
  ['const a = 1;', 'const a = 2;', false],
  ['const a = b - (c - d);', 'const a = b - c - d;', false],
  ["const a = 'x;';", "const a = 'x';", false],
])('compares %j with %j by tokens', (left, right, equal) => {
  expect(isEqualButForLayout(left, right, 'a.ts')).toBe(equal);
});

it.each([
  ['src/render.ts', ['src/parse-names.ts'], 'Options', 'src/render-types.ts'],
  ['src/render.tsx', [], 'Options', 'src/render-types.ts'],
  ['src/render.ts', ['src/parseNames.ts'], 'Options', 'src/renderTypes.ts'],
  ['src/render.ts', ['src/parse_names.ts'], 'Options', 'src/render_types.ts'],
  ['src/render.ts', ['src/parse.types.ts'], 'Options', 'src/render.types.ts'],
  ['src/cats.service.ts', [], 'Options', 'src/cats.service.types.ts'],
  ['src/Render.ts', [], 'Options', 'src/RenderTypes.ts'],
  ['types.ts', [], 'HTTPRequestType', 'http-request-types.ts'],
  ['src/index.mts', ['src/other.ts'], 'Options', 'src/options-types.mts'],
])('names the module for the types of %s beside %j', (...[path, siblings, largest, expected]) => {
  const tree = { sourceFiles: [path, ...siblings] } as unknown as SourceTree;
  expect(typesModuleNames(tree, path, largest)[0]).toBe(expected);
});
