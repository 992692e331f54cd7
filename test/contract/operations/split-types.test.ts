import { afterEach, describe, expect, it } from 'vitest';
import { apply } from '../../../src/operations/apply.ts';
import { detectIn, refactor } from './run-operation.ts';
import { makeTypeScriptProject, type TypeScriptProject } from '../../support/typescript-project.ts';
import { openWorkbench } from '../../../src/operations/workbench.ts';

const projects: TypeScriptProject[] = [];
const make: typeof makeTypeScriptProject = (files, options) => {
  const project = makeTypeScriptProject(files, options);
  projects.push(project);
  return project;
};
afterEach(() => projects.splice(0).forEach((project) => project.remove()));

const OPERATION = 'split-types';
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');
const wide = (name: string, count: number, modifier = 'export ') =>
  `/** A ${name}. */\n${modifier}interface ${name} {\n${lines(count, (i) => `  field${i}: string;`)}\n}\n`;
const code = (count: number) =>
  `export function run(a: Alpha): void {\n${lines(count, (i) => `  void (a.field0 + ${i});`)}\n}\n`;

const source = [
  '// Copyright 2020 Somebody',
  '// All rights reserved.',
  '',
  "import { unit, type Unit } from './unit.ts';",
  "import type { Outer } from './outer.ts';",
  '',
  wide('Alpha', 40),
  '// ---- a heading between two that move ----',
  '',
  wide('Beta', 30, ''),
  'export type Both = Alpha & Beta & { unit: Unit; outer: Outer };',
  '',
  code(60),
  'export const first: Unit = unit;',
  'export type Size = typeof first;',
  '',
].join('\n');
const neighbours = {
  'src/unit.ts': 'export interface Unit { u: number }\nexport const unit: Unit = { u: 1 };\n',
  'src/outer.ts': 'export interface Outer { o: number }\n',
  'src/user.ts': "import type { Alpha, Both } from './big.ts';\nexport type Mine = Alpha | Both;\n",
};

it('moves a closed set of types, re-exports what was exported, and touches no importer', () => {
  const project = make({ 'src/big.ts': source, ...neighbours }, { tsconfig: { verbatimModuleSyntax: true } });
  const { application, goal } = refactor(project, OPERATION, { file: 'src/big.ts' });
  expect(goal).toBe('move 3 type declarations of big.ts to big-types.ts');
  expect(application.touchedFiles).toEqual(['src/big-types.ts', 'src/big.ts']);
  expect(project.read('src/big.ts')).toBe(
    [
      '// Copyright 2020 Somebody',
      '// All rights reserved.',
      '',
      "import { unit, type Unit } from './unit.ts';",
      "import type { Alpha } from './big-types.ts';",
      '',
      "export type { Alpha, Both } from './big-types.ts';",
      '',
      code(60),
      'export const first: Unit = unit;',
      'export type Size = typeof first;',
      '',
    ].join('\n'),
  );
  expect(project.read('src/big-types.ts')).toBe(
    [
      '// Copyright 2020 Somebody',
      '// All rights reserved.',
      '',
      "import type { Unit } from './unit.ts';",
      "import type { Outer } from './outer.ts';",
      '',
      wide('Alpha', 40),
      '// ---- a heading between two that move ----',
      '',
      wide('Beta', 30),
      'export type Both = Alpha & Beta & { unit: Unit; outer: Outer };',
      '',
    ].join('\n'),
  );
  expect(application.proofs.map(({ held, evidence }) => [held, evidence])).toEqual([
    [true, '6 declarations token-identical'],
    [true, '5 exported names unchanged, each with its meaning'],
    [true, 'value cycles 0 to 0, import cycles 0 to 0'],
    [true, 'emitted JavaScript equal'],
    [true, '0 new diagnostics in 3 files, importers included'],
  ]);
});

it('gives the same diff for the same tree and recipe, and another run has nothing to do', () => {
  const project = make({ 'src/big.ts': source, ...neighbours });
  const recipe = detectIn(project, OPERATION, { files: ['src/big.ts'] }).candidates[0]!.recipe;
  const diffs = [1, 2].map(() => {
    const application = apply(openWorkbench(project.root), recipe);
    return application.kind === 'patch' ? application.diff : application.declined.reason;
  });
  expect(diffs[0]).toContain('+++ b/src/big-types.ts');
  expect(diffs[1]).toBe(diffs[0]);
  project.applyDiff(diffs[0]!);
  expect(apply(openWorkbench(project.root), recipe)).toMatchObject({ kind: 'declined' });
  expect(detectIn(project, OPERATION, { files: ['src/big.ts'] }).candidates).toEqual([]);
});

describe('declines', () => {
  it('to move what another file augments, or what an empty interface invites to augment', () => {
    const project = make({
      'src/big.ts': `${source}export interface Extension {}\n`,
      ...neighbours,
      'src/plugin.ts': "export {};\ndeclare module './big.ts' {\n  interface Alpha { more: string }\n}\n",
    });
    const detection = detectIn(project, OPERATION, { files: ['src/big.ts'] });
    expect(detection.candidates).toEqual([]);
    expect(detection.declined.map(({ reason, symbols }) => [reason, ...symbols])).toEqual([
      ['augmented-interface', 'Alpha'],
      ['augmented-interface', 'Extension'],
      ['too-little-to-move'],
    ]);
  });

  it.each([
    ['a method of an export', "import { first } from '../src/big.ts';\nvi.spyOn(first, 'u');\n"],
    ['an export of the namespace', "import * as big from '../src/big';\nsinon.stub(big, 'first');\n"],
    ['a mocked module', "vi.mock('../src/big.js', () => ({ first: { u: 2 } }));\n"],
    ['an export loaded late', "const big = await import('../src/big.ts');\nmock.method(big as any, 'first');\n"],
  ])('to move what is spied on, and the types made from it: %s', (_, test) => {
    const project = make({ 'src/big.ts': source, ...neighbours, 'test/big.test.ts': test });
    const detection = detectIn(project, OPERATION, { files: ['src/big.ts'] });
    expect(detection.declined).toMatchObject([{ reason: 'spied-export', symbols: ['first'] }]);
    expect(detection.declined[0]?.detail).toContain('1 types that need it');
  });

  it('a module with a directive, and one that is within the limit', () => {
    const project = make({ 'src/big.ts': `'use client';\n${source}`, ...neighbours });
    expect(
      detectIn(project, OPERATION, { files: ['src/big.ts', 'src/unit.ts'] }).declined.map(({ reason }) => reason),
    ).toEqual(['directive-prologue', 'no-change']);
  });

  it('to overwrite a file', () => {
    const project = make({ 'src/big.ts': source, ...neighbours, 'src/big-types.ts': '', 'src/alpha-types.ts': '' });
    const detection = detectIn(project, OPERATION, { files: ['src/big.ts'] });
    expect(detection).toMatchObject({ candidates: [], declined: [{ reason: 'target-exists' }] });
  });
});

it('takes only as much as fits into a new file, largest first, and names it after that where the file says nothing', () => {
  const project = make({
    'src/types.ts': [wide('RequestOptions', 70), wide('Small', 50), wide('Middle', 60), wide('Other', 55)].join(''),
  });
  const { application } = refactor(project, OPERATION, { file: 'src/types.ts' });
  expect(application.touchedFiles).toEqual(['src/request-options-types.ts', 'src/types.ts']);
  const next = detectIn(project, OPERATION, { files: ['src/types.ts'] });
  expect(next.candidates.map((candidate) => candidate.files[0])).toEqual(['src/middle-types.ts']);
});

it("writes imports as the file does: double quotes, no semicolons, no endings, and the folder's manner of naming", () => {
  const project = make(
    {
      'src/bigThing.ts': `import { unit } from "./unit"\n\n${wide('Alpha', 70)}\n${code(60)}export const u = unit\n`,
      'src/unit.ts': 'export const unit = 1\n',
    },
    { tsconfig: { module: 'esnext', moduleResolution: 'bundler' } },
  );
  refactor(project, OPERATION, { file: 'src/bigThing.ts' });
  expect(project.read('src/bigThing.ts').split('\n').slice(0, 4)).toEqual([
    'import { unit } from "./unit"',
    'import type { Alpha } from "./bigThingTypes"',
    '',
    'export type { Alpha } from "./bigThingTypes"',
  ]);
});

it('names what the new module imports in the order and layout in which the author did', () => {
  const uses = 'export type Uses = { first: Zone; second: Area };\n\n';
  const project = make({
    'src/big.ts': `import type {} from './empty.ts';\nimport type { Area, Zone } from './places.ts';\n\n${uses}${wide('Alpha', 80)}\n${code(60)}`,
    'src/places.ts': 'export interface Area { a: number }\nexport interface Zone { z: number }\n',
    'src/empty.ts': 'export {};\n',
  });
  refactor(project, OPERATION, { file: 'src/big.ts' });
  expect(project.read('src/big-types.ts')).toContain("import type { Area, Zone } from './places.ts';\n");
});

it('puts its import where the alphabet wants it, in a file that keeps that order', () => {
  const project = make({
    'src/big.ts': `import { area } from './area.ts';\nimport { zone } from './zone.ts';\n\n${wide('Alpha', 80)}\nexport const all = [area, zone];\n${code(60)}`,
    'src/area.ts': 'export const area = 1;\n',
    'src/zone.ts': 'export const zone = 2;\n',
  });
  refactor(project, OPERATION, { file: 'src/big.ts' });
  expect(project.read('src/big.ts').split('\n').slice(0, 5)).toEqual([
    "import { area } from './area.ts';",
    "import type { Alpha } from './big-types.ts';",
    "import { zone } from './zone.ts';",
    '',
    "export type { Alpha } from './big-types.ts';",
  ]);
});
