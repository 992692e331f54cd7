import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTypeScriptProject, type TypeScriptProject } from '../../support/typescript-project.ts';
import { openWorkbench, type Workbench } from '../../../src/operations/workbench.ts';
import { prove } from '../../../src/operations/prove.ts';
import { readAnswer } from '../../../src/operations/read-answer.ts';

let project: TypeScriptProject;
let bench: Workbench;
const main =
  "import { b } from './b.ts';\nexport interface T { x: string }\nexport const f = (t: T): string => t.x + b;\nconst used = 1;\nexport const g = used + 1;\n";
beforeAll(() => {
  project = makeTypeScriptProject({
    'src/main.ts': main,
    'src/b.ts': 'export const b = 1;\n',
    'src/user.ts':
      "import { f, type T } from './main.ts';\nexport const t: T = { x: '' };\nexport const s: string = f(t);\n",
  });
  bench = openWorkbench(project.root);
});
afterAll(() => project.remove());

const failed = (texts: Record<string, string>, removedStatements = 0, cameFrom: Record<string, string> = {}) =>
  prove(bench, {
    texts: new Map(Object.entries(texts)),
    cameFrom: new Map(Object.entries(cameFrom)),
    removedStatements,
  })
    .filter((proof) => !proof.held)
    .map((proof) => [proof.name, proof.evidence]);

it('holds for a change of layout', () => {
  expect(failed({ 'src/main.ts': main.replace('(t: T): string =>', '(\n  t: T,\n): string =>') })).toEqual([]);
});

it.each([
  ['an operand swapped', 'moved-declarations-identical', { 'src/main.ts': main.replace('t.x + b', 'b + t.x') }, 0],
  ['a declaration lost', 'moved-declarations-identical', { 'src/main.ts': main.replace('const used = 1;\n', '') }, 0],
  ['an export lost', 'export-surface-equal', { 'src/main.ts': main.replace('export const g', 'const g') }, 0],
  ['an export gained', 'export-surface-equal', { 'src/main.ts': main.replace('const used', 'export const used') }, 0],
  ['a cycle', 'cycles-not-up', { 'src/b.ts': "import './user.ts';\nexport const b = 1;\n" }, 0],
  ['a type cycle', 'cycles-not-up', { 'src/b.ts': "import type {} from './main.ts';\nexport const b = 1;\n" }, 0],
  ['a name that is used', 'no-new-diagnostics', { 'src/main.ts': main.replace('const used = 1;\n', '') }, 1],
  [
    'an import that is needed',
    'no-new-diagnostics',
    { 'src/main.ts': main.replace("import { b } from './b.ts';\n", '') },
    0,
  ],
] as const)('refuses %s by %s', (...[, proof, texts, removed]) => {
  expect(failed(texts, removed).map(([name]) => name)).toEqual([proof]);
});

it('refuses to move what runs, though every token stays', () => {
  const source = main
    .replace('const used = 1;\n', '')
    .replace("from './b.ts';", "from './b.ts';\nimport { used } from './t.ts';");
  const result = failed({ 'src/main.ts': source, 'src/t.ts': 'export const used = 1;\n' }, 0, {
    'src/t.ts': 'src/main.ts',
  });
  expect(result.map(([name]) => name)).toEqual(['emitted-code-equal']);
});

it('sees what breaks in an importer only', () => {
  const hub = "import type { U } from './one.ts';\nexport const same = (u: U): U => u;\n";
  project.write({
    'src/one.ts': 'export interface U { n: number }\n',
    'src/two.ts': 'export interface U { n: string }\n',
    'src/hub.ts': hub,
    'src/barrel.ts': "export * from './hub.ts';\n",
    'src/far.ts': "import { same } from './barrel.ts';\nexport const n = same({ n: 1 });\n",
  });
  bench = openWorkbench(project.root);
  const [failure] = failed({ 'src/hub.ts': hub.replace('one', 'two') });
  expect(failure).toEqual(['no-new-diagnostics', expect.stringContaining('src/far.ts: TS2322')]);
});

it('takes no answer that is not one', () => {
  const marker = '@@ refactor-bot operations: answer @@';
  const cases = [
    '',
    'hello',
    `${marker}\n{`,
    `${marker}\n{"kind":"detection"}`,
    `${marker}\n{"kind":"failed","message":"no"}`,
  ];
  for (const stdout of cases)
    expect(() => readAnswer(stdout)).toThrow(expect.objectContaining({ code: 'output-invalid' }));
  const escaping = { kind: 'patch', diff: 'x', touchedFiles: ['../x'], proofs: [] };
  const answer = JSON.stringify({ kind: 'application', application: escaping });
  expect(() => readAnswer(`${marker}\n${answer}`)).toThrow(expect.objectContaining({ code: 'output-invalid' }));
});
