import { describe, expect, it } from 'vitest';
import { measureFile } from '../../../../src/pipeline/indexing/measure-file.ts';

function unusedIn(text: string, path = 'src/a.ts') {
  const { parsed, unusedImports, unusedDeclarations } = measureFile(path, text);
  expect(parsed).toBe(true);
  return [...unusedImports, ...unusedDeclarations];
}

describe('unused imports', () => {
  it.each([
    ['a named one', "import { a, b } from 'x';\nb();", ['a']],
    ['a default one', "import a from 'x';", ['a']],
    ['a namespace', "import * as a from 'x';", ['a']],
    ['a renamed one, by its local name', "import { a as b } from 'x';\nexport const y = a => a;", ['b']],
    ['one that only a property is called like', "import { size } from 'x';\nexport const n = window.size;", ['size']],
    ['one that only a key is called like', "import { size } from 'x';\nexport const n = { size: 1 };", ['size']],
    [
      'one that only a member of a type is called like',
      "import { a } from 'x';\nexport interface I { a: 1; b(): void }",
      ['a'],
    ],
    ['a type-only one', "import type { A } from 'x';\nexport {};", ['A']],
  ])('are found: %s', (_, text, expected) => {
    expect(unusedIn(text)).toEqual(expected);
  });

  it.each([
    ['used as a type', "import { A } from 'x';\nexport let a: A;"],
    ['used by typeof in a type', "import { a } from 'x';\nexport type T = typeof a;"],
    ['used through a namespace in a type', "import * as n from 'x';\nexport let a: n.Deep.A;"],
    ['used by shorthand', "import { a } from 'x';\nexport const o = { a };"],
    ['used as a computed key', "import { a } from 'x';\nexport const o = { [a]: 1, b: window[a] };"],
    ['exported again', "import { a } from 'x';\nexport { a };"],
    ['exported again by another name', "import { a } from 'x';\nexport { a as b };"],
    ['exported as default', "import a from 'x';\nexport default a;"],
    ['used as a decorator', "import { dec } from 'x';\n@dec export class A {}"],
    ['extended', "import { B } from 'x';\nexport class A extends B {}"],
    ['implemented', "import { B } from 'x';\nexport class A implements B {}"],
    ['shadowed: a mention is a use', "import { a } from 'x';\nexport const f = (a: number) => a;"],
    ['named by documentation', "import { A } from 'x';\n/** See {@link A}. */\nexport const b = 1;"],
    ['named with a dollar by documentation', "import { $a } from 'x';\n/** {@link $a} */\nexport const b = 1;"],
    ['for its side effect', "import 'x';\nexport {};"],
    ['nothing of it', "import {} from 'x';\nexport {};"],
  ])('are not: %s', (_, text) => {
    expect(unusedIn(text)).toEqual([]);
  });

  it('are found though a plain comment or a longer word of documentation mentions them', () => {
    expect(unusedIn("import { A } from 'x';\n// A\n/** ABC $A */\nexport {};")).toEqual(['A']);
  });

  it('know components by JSX, and leave the classic runtime alone', () => {
    const text =
      "import React, { Box, Gone } from 'ui';\nimport * as Menu from 'menu';\nexport const a = <Box><Menu.Item /></Box>;";
    expect(unusedIn(text, 'src/a.tsx')).toEqual(['Gone']);
    expect(unusedIn("import { h } from 'preact';\nexport const a = <p />;", 'src/a.jsx')).toEqual([]);
  });

  it('know the pragma of a file', () => {
    expect(unusedIn("/* @jsx draw */\nimport { draw } from 'x';\nexport const a = <p />;", 'src/a.tsx')).toEqual([]);
  });
});

describe('unused declarations', () => {
  it.each([
    ['a function', 'function gone() {}\nexport {};', ['gone']],
    ['a constant', 'const gone = 1;\nexport {};', ['gone']],
    [
      'a class, interface, type and enum',
      'class A {}\ninterface B {}\ntype C = 1;\nenum D {}\nexport {};',
      ['A', 'B', 'C', 'D'],
    ],
    ['an overloaded function', 'function gone(a: string): void;\nfunction gone(a: unknown) {}\nexport {};', ['gone']],
    ['an interface in two parts', 'interface A { a: 1 }\ninterface A { b: 1 }\nexport {};', ['A']],
  ])('are found: %s', (_, text, expected) => {
    expect(unusedIn(text)).toEqual(expected);
  });

  it.each([
    ['exported on its own', 'const a = 1;\nexport { a };'],
    ['exported with its declaration', 'export const a = 1;\nexport function b() {}'],
    ['exported as default', 'function a() {}\nexport default a;'],
    ['called by itself alone: a lower bound', 'function a() { a(); }\nexport {};'],
    ['ambient', 'declare const a: 1;\ndeclare function b(): void;\ndeclare class C {}\nexport {};'],
    ['assigned to later', 'let a;\nexport {};'],
    ['taken apart', 'const { a, b } = window;\nexport {};'],
    ['local to a function', 'export function f() { const a = 1; }'],
    ['used as a type only', 'interface A { x: 1 }\nexport let a: A;'],
  ])('are not: %s', (_, text) => {
    expect(unusedIn(text)).toEqual([]);
  });

  it('are none in a script: its names are global', () => {
    expect(unusedIn('function perhaps() {}\nconst other = 1;', 'src/a.js')).toEqual([]);
  });
});

it('stays quick on a file of very many names and comments', { timeout: 20_000 }, () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `n${index}`);
  const text = `import { ${names.join(', ')} } from 'x';\n${'/** a word */\n'.repeat(20_000)}export {};`;
  expect(unusedIn(text)).toHaveLength(names.length);
});
