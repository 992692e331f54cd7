import { afterEach, expect, it } from 'vitest';
import { formatWithRepository } from '../../../src/operations/format-with-repository.ts';
import { makeTypeScriptProject, type TypeScriptProject } from '../../support/typescript-project.ts';
import { openSourceTree } from '../../../src/operations/source-tree.ts';

let project: TypeScriptProject;
afterEach(() => project.remove());

/** A stand-in for prettier with its command line: what `script` makes of `text`. */
function projectWith(script: string): TypeScriptProject {
  return makeTypeScriptProject({
    'package.json': '{ "devDependencies": { "prettier": "1" } }',
    'node_modules/prettier/package.json': '{ "bin": "./bin.cjs" }',
    'node_modules/prettier/bin.cjs': `const text = require('fs').readFileSync(0, 'utf8'); process.stdout.write(${script});`,
    'src/clean.ts': "const a = 'x';\n",
    'src/wild.ts': 'const a = "x";\n',
  });
}

function format(texts: Record<string, string>, cameFrom: Record<string, string> = {}): Record<string, string> {
  const tree = openSourceTree(project.root);
  return Object.fromEntries(
    formatWithRepository(tree, new Map(Object.entries(texts)), new Map(Object.entries(cameFrom))),
  );
}

it('formats what follows the formatter, and what came out of it', () => {
  project = projectWith(`text.replaceAll('"', "'")`);
  const text = 'const b = "y";\n';
  expect(format({ 'src/clean.ts': text, 'src/wild.ts': text })).toEqual({
    'src/clean.ts': "const b = 'y';\n",
    'src/wild.ts': text,
  });
  expect(format({ 'src/new.ts': text }, { 'src/new.ts': 'src/clean.ts' })).toEqual({
    'src/new.ts': "const b = 'y';\n",
  });
});

it.each([
  ['another meaning', `text.includes('b') ? 'const c = 1;' : text`],
  ['nothing', `text.includes('b') ? '' : text`],
  ['an error', `text.includes('b') ? process.exit(2) : text`],
])('keeps the text when the formatter answers %s', (_, script) => {
  project = projectWith(script);
  expect(format({ 'src/clean.ts': 'const b = 1;\n' })).toEqual({ 'src/clean.ts': 'const b = 1;\n' });
});

it('needs no formatter', () => {
  project = makeTypeScriptProject({ 'src/a.ts': 'export {};\n' });
  expect(format({ 'src/a.ts': 'const  b\n' })).toEqual({ 'src/a.ts': 'const  b\n' });
});
