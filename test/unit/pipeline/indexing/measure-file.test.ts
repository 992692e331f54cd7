import { describe, expect, it } from 'vitest';
import { measureFile } from '../../../../src/pipeline/indexing/measure-file.ts';

const functionsOf = (text: string) =>
  measureFile('src/a.ts', text).functions.map(({ name, startLine, lines }) => `${name} ${startLine}+${lines}`);

describe('lines', () => {
  it.each([
    ['', 0],
    ['\n', 1],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['a\r\nb\r\n', 2],
  ])('of %j are %i', (text, lines) => {
    expect(measureFile('src/a.ts', text).lines).toBe(lines);
  });
});

describe('functions', () => {
  it.each([
    ['a declaration', 'function first() {\n  return 1;\n}\n', ['first 1+3']],
    ['an arrow by its variable', '\nconst second = () => {\n  return 2;\n};\n', ['second 2+3']],
    ['an arrow without braces', 'const short = (x: number) => x;\n', ['short 1+1']],
    ['a method', 'class A {\n  third() {\n    return 3;\n  }\n}\n', ['third 2+3']],
    ['a private method', 'class A {\n  #hidden() {}\n}\n', ['#hidden 2+1']],
    ['a constructor', 'class A {\n  constructor() {}\n}\n', ['constructor 2+1']],
    ['a property that is an arrow', 'class A {\n  fourth = () => {\n  };\n}\n', ['fourth 2+2']],
    [
      'a method of an object',
      'export const o = {\n  fifth() {},\n  sixth: function () {},\n};\n',
      ['fifth 2+1', 'sixth 3+1'],
    ],
    ['a default export without a name', 'export default function () {\n}\n', ['(anonymous) 1+2']],
    ['a function in a function', 'function outer() {\n  const inner = () => {\n  };\n}\n', ['outer 1+4', 'inner 2+2']],
    ['text with astral characters before it', 'const s = "😀😀";\nfunction after() {\n}\n', ['after 2+2']],
    ['no signature of an overload', 'function f(a: string): void;\nfunction f(a: unknown) {}\n', ['f 2+1']],
  ])('counts %s', (_, text, expected) => {
    expect(functionsOf(text)).toEqual(expected);
  });
});

describe('classes', () => {
  it('counts methods with a body: constructor and accessors too, fields and signatures of overloads not', () => {
    const text = `class Parser {
  field = 1;
  constructor() {}
  get one() { return 1; }
  set one(value) {}
  read(a: string): void;
  read(a: number): void;
  read(a: unknown) {}
  static make() {}
}
abstract class Shape { abstract area(): number; name() {} }
const Named = class { a() {} };
`;
    expect(measureFile('src/a.ts', text).classes).toEqual([
      { name: 'Parser', startLine: 1, methods: 5 },
      { name: 'Shape', startLine: 11, methods: 1 },
      { name: 'Named', startLine: 12, methods: 1 },
    ]);
  });
});

describe('specifiers', () => {
  it.each([
    ["import { a } from './a.ts';", './a.ts', false],
    ["import type { A } from './a.ts';", './a.ts', true],
    ["import { type A, type B } from './a.ts';", './a.ts', true],
    ["import { type A, b } from './a.ts';", './a.ts', false],
    ["import './a.ts';", './a.ts', false],
    ["import * as all from './a.ts';", './a.ts', false],
    ["export * from './a.ts';", './a.ts', false],
    ["export type { A } from './a.ts';", './a.ts', true],
    ["export { a } from './a.ts';", './a.ts', false],
    ["import type { A } from './a.ts';\nimport { a } from './a.ts';", './a.ts', false],
  ])('of %j', (text, specifier, typeOnly) => {
    expect(measureFile('src/b.ts', text).specifiers).toEqual([{ specifier, typeOnly }]);
  });

  it('are not read from exports of local names', () => {
    expect(measureFile('src/b.ts', 'const a = 1;\nexport { a };').specifiers).toEqual([]);
  });
});

describe('a file that does not parse', () => {
  it.each(['function (', '<<<<<<< HEAD\n=======\n>>>>>>> other', '\u0000'])(
    '%j is counted and gives nothing',
    (text) => {
      const measured = measureFile('src/a.ts', text);
      expect(measured).toMatchObject({ parsed: false, functions: [], classes: [], unusedImports: [], specifiers: [] });
    },
  );

  it('is told apart by its extension', () => {
    expect(measureFile('src/a.ts', 'const a = <div />;').parsed).toBe(false);
    expect(measureFile('src/a.tsx', 'const a = <div />;').parsed).toBe(true);
    expect(measureFile('src/a.js', 'const a = <div />;').parsed).toBe(true);
  });
});
