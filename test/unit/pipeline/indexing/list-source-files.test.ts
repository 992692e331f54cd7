import { describe, expect, it } from 'vitest';
import type { TreeEntry } from '../../../../src/git/git-repository.ts';
import { listSourceFiles } from '../../../../src/pipeline/indexing/list-source-files.ts';

const entry = (path: string, change: Partial<TreeEntry> = {}): TreeEntry => ({
  path,
  mode: '100644',
  oid: 'b'.repeat(40),
  size: 10,
  ...change,
});
const paths = (...entries: readonly TreeEntry[]) => listSourceFiles(entries).files.map((file) => file.path);

describe('listSourceFiles', () => {
  it('takes the extensions of JavaScript and TypeScript, in order of path', () => {
    const all = [
      'z.ts',
      'a.tsx',
      'b.mts',
      'c.cts',
      'd.js',
      'e.jsx',
      'f.mjs',
      'g.cjs',
      'h.json',
      'i.vue',
      'ts',
      'j.ts.txt',
    ];
    expect(paths(...all.map((path) => entry(path)))).toEqual([
      'a.tsx',
      'b.mts',
      'c.cts',
      'd.js',
      'e.jsx',
      'f.mjs',
      'g.cjs',
      'z.ts',
    ]);
  });

  it('takes regular files only', () => {
    expect(
      paths(
        entry('run.js', { mode: '100755' }),
        entry('link.ts', { mode: '120000' }),
        entry('module.ts', { mode: '160000', size: null }),
      ),
    ).toEqual(['run.js']);
  });

  it('counts what is too large, to the byte', () => {
    const listing = listSourceFiles([entry('fits.ts', { size: 1_048_576 }), entry('large.ts', { size: 1_048_577 })]);
    expect(listing).toMatchObject({ files: [{ path: 'fits.ts' }], tooLarge: 1, generated: 0 });
  });

  it.each([
    'a.d.ts',
    'src/a.d.mts',
    'a.min.js',
    'dist/a.js',
    'packages/x/build/a.js',
    'vendor/a.js',
    'src/generated/a.ts',
    'src/api.generated.ts',
    'src/api.pb.ts',
    '.yarn/releases/yarn.cjs',
    'x/node_modules/y/a.js',
  ])('counts %s as generated', (path) => {
    expect(listSourceFiles([entry(path)])).toMatchObject({ files: [], generated: 1 });
  });

  it.each(['src/distance.ts', 'src/builder/a.ts', 'src/d.ts', 'outline/a.ts'])('takes %s', (path) => {
    expect(listSourceFiles([entry(path)])).toMatchObject({ files: [{ path, isTest: false }], generated: 0 });
  });

  it.each([
    'test/a.ts',
    'src/__tests__/a.ts',
    'src/a.test.ts',
    'src/a.spec.mjs',
    'vitest.config.ts',
    'bench/a.ts',
    'examples/a.js',
    'src/a.stories.tsx',
    '.config/tests/a.ts',
    'typescript_test/a.ts',
    'runtime-tests/node/a.ts',
    'test-d/a.ts',
    'src/a.typetest.ts',
    'codemods/__testfixtures__/a.input.ts',
    'perf-measures/a.ts',
    'sample/a.ts',
    'packages/playground/src/a.ts',
  ])('knows %s as a test', (path) => {
    expect(listSourceFiles([entry(path)]).files).toMatchObject([{ path, isTest: true }]);
  });

  it.each(['src/testing.ts', 'src/a.tests.ts', 'src/contest/a.ts', 'src/test-runner/a.ts', 'src/performance/a.ts'])(
    'knows %s as a source',
    (path) => {
      expect(listSourceFiles([entry(path)]).files).toMatchObject([{ path, isTest: false }]);
    },
  );
});
