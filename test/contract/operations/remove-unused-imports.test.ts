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

const OPERATION = 'remove-unused-imports';
const things = 'export const a = 1;\nexport const b = 2;\nexport const c = 3;\nexport interface T { x: number }\n';

describe('what is removed', () => {
  it('takes names out of a list and whole declarations, and keeps the licence above the first', () => {
    const project = make({
      'src/things.ts': things,
      'src/other.ts': 'export const o = 1;\n',
      'src/main.ts':
        "// Copyright 2020 Somebody\n\nimport { o } from './other.js';\nimport { a, b, c } from './things.js';\nimport type { T } from './things.js';\n\nexport const sum = a + c;\n",
    });
    const { application, goal } = refactor(project, OPERATION, { file: 'src/main.ts' });
    expect(project.read('src/main.ts')).toBe(
      "// Copyright 2020 Somebody\n\nimport { a, c } from './things.js';\n\nexport const sum = a + c;\n",
    );
    expect(goal).toBe('remove 3 unused imports from main.ts');
    expect(application.proofs.map((proof) => [proof.name, proof.held])).toEqual([
      ['moved-declarations-identical', true],
      ['export-surface-equal', true],
      ['cycles-not-up', true],
      ['emitted-code-equal', true],
      ['no-new-diagnostics', true],
    ]);
  });

  it('keeps the default beside an unused list, and the list beside an unused default', () => {
    const project = make({
      'src/things.ts': `${things}export default 4;\n`,
      'src/one.ts': "import four, { a } from './things.js';\nexport const x = four;\n",
      'src/two.ts': "import four, { a } from './things.js';\nexport const x = a;\n",
    });
    refactor(project, OPERATION, { file: 'src/one.ts' });
    refactor(project, OPERATION, { file: 'src/two.ts' });
    expect(project.read('src/one.ts')).toBe("import four from './things.js';\nexport const x = four;\n");
    expect(project.read('src/two.ts')).toBe("import { a } from './things.js';\nexport const x = a;\n");
  });

  it('joins a broken list that fits on a line, and leaves one with comments broken', () => {
    const project = make({
      'src/things.ts': things,
      'src/one.ts': "import {\n  a,\n  b,\n  c,\n} from './things.js';\nexport const x = [a, c];\n",
      'src/two.ts': "import {\n  a,\n  b,\n  c, // the third\n} from './things.js';\nexport const x = [a, c];\n",
    });
    refactor(project, OPERATION, { file: 'src/one.ts' });
    refactor(project, OPERATION, { file: 'src/two.ts' });
    expect(project.read('src/one.ts')).toBe("import { a, c } from './things.js';\nexport const x = [a, c];\n");
    expect(project.read('src/two.ts')).toBe(
      "import {\n  a,\n  c, // the third\n} from './things.js';\nexport const x = [a, c];\n",
    );
  });

  it('takes a directive comment along, which would otherwise hold for the next line', () => {
    const project = make({
      'src/things.ts': things,
      'src/main.ts':
        "// what we need\n// eslint-disable-next-line import/order\nimport { a } from './things.js';\nexport const x = 1;\n",
    });
    refactor(project, OPERATION, { file: 'src/main.ts' });
    expect(project.read('src/main.ts')).toBe('// what we need\nexport const x = 1;\n');
  });

  it('finds nothing in a second pass', () => {
    const project = make({
      'src/things.ts': things,
      'src/main.ts': "import { a, b } from './things.js';\nexport { a };\n",
    });
    refactor(project, OPERATION, { file: 'src/main.ts' });
    expect(detectIn(project, OPERATION, { files: ['src/main.ts'] }).candidates).toEqual([]);
  });
});

describe('what stays', () => {
  it('keeps what only a JSX pragma or a type in a JavaScript comment uses', () => {
    const project = make(
      {
        'src/react.ts': 'export default { createElement(): unknown { return 1; } };\n',
        'src/view.tsx': "import React from './react.js';\nexport const view = <div />;\n",
        'src/types.js': 'export class Shape {}\n',
        'src/plain.js':
          "import { Shape } from './types.js';\n/** @type {Shape | null} */\nexport const shape = null;\n",
        'src/jsx.d.ts': 'declare namespace JSX { interface IntrinsicElements { div: object } }\n',
      },
      { tsconfig: { jsx: 'react', allowJs: true, module: 'esnext', moduleResolution: 'bundler' } },
    );
    const detection = detectIn(project, OPERATION, { files: ['src/view.tsx', 'src/plain.js'] });
    expect(detection.candidates).toEqual([]);
  });

  it.each([
    ['verbatim modules', { verbatimModuleSyntax: true }, 'src/main.ts', './effect.js'],
    ['stripped types', {}, 'src/main.ts', './effect.ts'],
    ['JavaScript', { allowJs: true }, 'src/main.js', './effect.js'],
  ])('declines an import that alone loads a module with an effect (%s)', (...[, tsconfig, file, specifier]) => {
    const effect = "import { list } from './list.js';\nlist.push(1);\nexport const loaded = true;\n";
    const project = make(
      {
        'src/list.ts': 'export const list: number[] = [];\n',
        [file.endsWith('.js') ? 'src/effect.js' : 'src/effect.ts']: effect,
        [file]: `import { loaded } from '${specifier}';\nexport const x = 1;\n`,
      },
      { tsconfig },
    );
    const detection = detectIn(project, OPERATION, { files: [file] });
    expect(detection.candidates).toEqual([]);
    expect(detection.declined).toMatchObject([{ reason: 'side-effect-import', symbols: ['loaded'] }]);
    expect(detection.declined[0]?.detail).toContain(':2 does something when it is loaded');
  });

  it('removes the same import where the compiler would drop it anyway, or where nothing happens on loading', () => {
    const effect = 'console.log(1);\nexport const loaded = true;\n';
    const files = { 'src/effect.ts': `declare const console: { log(x: unknown): void };\n${effect}` };
    const elided = make({ ...files, 'src/main.ts': "import { loaded } from './effect.js';\nexport const x = 1;\n" });
    expect(detectIn(elided, OPERATION, { files: ['src/main.ts'] }).candidates).toHaveLength(1);
    const quiet = make(
      {
        'src/quiet.ts': 'export const loaded = { a: [1] };\n',
        'src/main.ts': "import { loaded } from './quiet.js';\nexport const x = 1;\n",
      },
      { tsconfig: { verbatimModuleSyntax: true } },
    );
    expect(detectIn(quiet, OPERATION, { files: ['src/main.ts'] }).candidates).toHaveLength(1);
  });

  it('declines a package unless it declares that loading it does nothing', () => {
    const project = make(
      {
        'node_modules/loud/package.json': '{ "name": "loud", "version": "1.0.0", "types": "index.d.ts" }',
        'node_modules/loud/index.d.ts': 'export declare const loud: number;\n',
        'node_modules/quiet/package.json': '{ "name": "quiet", "sideEffects": false, "types": "index.d.ts" }',
        'node_modules/quiet/index.d.ts': 'export declare const quiet: number;\n',
        'src/main.ts': "import { loud } from 'loud';\nimport { quiet } from 'quiet';\nexport const x = 1;\n",
      },
      { tsconfig: { verbatimModuleSyntax: true } },
    );
    const detection = detectIn(project, OPERATION, { files: ['src/main.ts'] });
    expect(detection.candidates[0]?.recipe.inputs).toEqual({ names: ['quiet'] });
    expect(detection.declined).toMatchObject([{ reason: 'side-effect-import', symbols: ['loud'] }]);
  });

  it.each([
    ['generated-file', '/* @generated */\n'],
    ['unreadable', 'const = ;\n'],
  ])('leaves a file alone that is %s', (reason, head) => {
    const project = make({
      'src/things.ts': things,
      'src/main.ts': `${head}import { a } from './things.js';\nexport const x = 1;\n`,
    });
    const detection = detectIn(project, OPERATION, { files: ['src/main.ts'] });
    expect(detection).toMatchObject({ candidates: [], declined: [{ reason }] });
  });
});

it('works on a repository without a tsconfig', () => {
  const project = make(
    {
      'lib/things.js': 'export const a = 1;\nexport const b = 2;\n',
      'lib/main.js': "import { a, b } from './things.js';\nexport default a;\n",
    },
    { tsconfig: null },
  );
  refactor(project, OPERATION, { file: 'lib/main.js' });
  expect(project.read('lib/main.js')).toBe("import { a } from './things.js';\nexport default a;\n");
});
