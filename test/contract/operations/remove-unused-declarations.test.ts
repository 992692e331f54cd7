import { afterEach, describe, expect, it } from 'vitest';
import { detectIn, refactor } from './run-operation.ts';
import { makeTypeScriptProject, type TypeScriptProject } from '../../support/typescript-project.ts';

const projects: TypeScriptProject[] = [];
const make: typeof makeTypeScriptProject = (files, options) => {
  const project = makeTypeScriptProject(files, options);
  projects.push(project);
  return project;
};
afterEach(() => projects.splice(0).forEach((project) => project.remove()));

const OPERATION = 'remove-unused-declarations';

it('removes what nothing reaches, what only that uses, their comments and their imports', () => {
  const project = make({
    'src/things.ts': 'export const a = 1;\nexport const b = 2;\n',
    'src/main.ts': [
      '// Licensed to nobody',
      "import { a, b } from './things.js';",
      '',
      '/** Only the dead one uses it. */',
      'const STEP = { size: 60 * 60 };',
      '',
      'interface Options {',
      '  step: number;',
      '}',
      '',
      '/** Calls the other, which calls it. */',
      'function ping(options: Options): number {',
      '  return options.step > 0 ? pong(STEP.size + b) : 0;',
      '}',
      'function pong(step: number): number {',
      '  return ping({ step });',
      '}',
      '',
      '/** Stays. */',
      'export const value = a;',
      '',
      'enum Old {',
      '  A,',
      '}',
      '',
    ].join('\n'),
  });
  const { application, goal } = refactor(project, OPERATION, { file: 'src/main.ts' });
  expect(project.read('src/main.ts')).toBe(
    "// Licensed to nobody\nimport { a } from './things.js';\n\n/** Stays. */\nexport const value = a;\n",
  );
  expect(goal).toBe('remove 5 unused declarations from main.ts');
  expect(application.proofs.every((proof) => proof.held)).toBe(true);
  expect(detectIn(project, OPERATION, { files: ['src/main.ts'] }).candidates).toEqual([]);
});

it('leaves exported, ambient and used declarations, and what a script shares', () => {
  const project = make(
    {
      'src/main.ts':
        'function listed(): void {}\nexport { listed };\ndeclare const ambient: number;\nfunction shadowed(): number { return 1; }\nexport const f = (): number => shadowed();\n',
      'src/script.ts': 'function shared(): void {}\n',
    },
    { tsconfig: { module: 'esnext', moduleResolution: 'bundler' } },
  );
  const detection = detectIn(project, OPERATION, { files: ['src/main.ts', 'src/script.ts'] });
  expect(detection.candidates).toEqual([]);
  expect(detection.declined).toMatchObject([{ path: 'src/script.ts', reason: 'not-a-module' }]);
});

describe('declines', () => {
  const cases: [string, string, string][] = [
    ['a call', 'impure-initialiser', 'const started = start();'],
    ['a getter behind a property', 'impure-initialiser', 'const read = source.value;'],
    ['a static block', 'impure-initialiser', 'class Late { static { start(); } }'],
    ['a comment that asks for it', 'kept-on-purpose', '// eslint-disable-next-line no-unused-vars\nconst kept = 1;'],
    ['a name that says unused', 'kept-on-purpose', 'type _Check = string;'],
  ];
  it.each(cases)('%s: %s', (_, reason, code) => {
    const project = make({
      'src/main.ts': `export const source = { get value(): number { return 1; } };\nexport function start(): number { return 1; }\n${code}\n`,
    });
    expect(detectIn(project, OPERATION, { files: ['src/main.ts'] })).toMatchObject({
      candidates: [],
      declined: [{ reason }],
    });
  });

  it('what a test reaches by name', () => {
    const project = make({
      'src/main.ts': 'function secret(): number { return 1; }\nexport const x = 1;\n',
      'test/main.test.js': "const main = rewire('../src/main');\nmain.__set__('secret', () => 2);\n",
    });
    const detection = detectIn(project, OPERATION, { files: ['src/main.ts'] });
    expect(detection).toMatchObject({ candidates: [], declined: [{ reason: 'spied-export', symbols: ['secret'] }] });
  });

  it('an interface that another file augments', () => {
    const project = make({
      'src/main.ts': 'interface Extras { a?: number }\nexport const x = 1;\n',
      'src/plugin.ts': "export {};\ndeclare module './main.js' {\n  interface Extras { b?: number }\n}\n",
    });
    const detection = detectIn(project, OPERATION, { files: ['src/main.ts'] });
    expect(detection).toMatchObject({
      candidates: [],
      declined: [{ reason: 'augmented-interface', symbols: ['Extras'] }],
    });
  });

  it('a declaration whose import must keep loading its module', () => {
    const project = make(
      {
        'src/effect.ts': 'export let count = 0;\ncount += 1;\n',
        'src/main.ts': "import { count } from './effect.ts';\nconst dead = (): number => count;\nexport const x = 1;\n",
      },
      { tsconfig: { verbatimModuleSyntax: true } },
    );
    const detection = detectIn(project, OPERATION, { files: ['src/main.ts'] });
    expect(detection).toMatchObject({
      candidates: [],
      declined: [{ reason: 'side-effect-import', symbols: ['count'] }],
    });
  });
});

it('tries the candidates of several files together', () => {
  const file = 'function dead(): void {}\nexport const x = 1;\n';
  const project = make({ 'src/a.ts': file, 'src/b.ts': file.replace('dead', 'gone') });
  const detection = detectIn(project, OPERATION, { files: ['src/a.ts', 'src/b.ts'] });
  expect(detection.candidates.map((candidate) => candidate.files)).toEqual([['src/a.ts'], ['src/b.ts']]);
});
