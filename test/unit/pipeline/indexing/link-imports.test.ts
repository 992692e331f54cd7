import { describe, expect, it } from 'vitest';
import { resolveImport } from '../../../../src/pipeline/indexing/link-imports.ts';

const PATHS = new Set([
  'index.ts',
  'src/a.ts',
  'src/b.tsx',
  'src/c.mts',
  'src/d.js',
  'src/both.ts',
  'src/both.js',
  'src/dir/index.ts',
  'src/dir.with.dots/index.js',
  'src/both/index.ts',
  'src/name.test.ts',
  '..odd/a.ts',
]);

describe('resolveImport', () => {
  it.each([
    ['src/x.ts', './a.ts', 'src/a.ts'],
    ['src/x.ts', './a.js', 'src/a.ts'],
    ['src/x.ts', './a', 'src/a.ts'],
    ['src/x.ts', './b.js', 'src/b.tsx'],
    ['src/x.ts', './b.jsx', 'src/b.tsx'],
    ['src/x.ts', './c.mjs', 'src/c.mts'],
    ['src/x.ts', './d.js', 'src/d.js'],
    ['src/x.ts', './both.js', 'src/both.ts'],
    ['src/x.ts', './both', 'src/both.ts'],
    ['src/x.ts', './both/', 'src/both.ts'],
    ['src/x.ts', './dir', 'src/dir/index.ts'],
    ['src/x.ts', './dir/', 'src/dir/index.ts'],
    ['src/x.ts', './dir.with.dots', 'src/dir.with.dots/index.js'],
    ['src/x.ts', './name.test', 'src/name.test.ts'],
    ['src/dir/x.ts', '.', 'src/dir/index.ts'],
    ['src/dir/x.ts', '..', null],
    ['src/x.ts', '..', 'index.ts'],
    ['src/dir/x.ts', '../a', 'src/a.ts'],
    ['src/x.ts', './dir/../a', 'src/a.ts'],
    ['x.ts', './..odd/a', '..odd/a.ts'],
  ])('from %s, %j leads to %j', (from, specifier, target) => {
    expect(resolveImport(from, specifier, PATHS)).toBe(target);
  });

  it.each([
    'a',
    'src/a',
    '@scope/a',
    'node:fs',
    '/src/a',
    '#a',
    '.a',
    '',
    './missing',
    '../../src/a',
    '../../../etc/passwd',
  ])('leads nowhere by %j', (specifier) => {
    expect(resolveImport('src/x.ts', specifier, PATHS)).toBeNull();
  });
});
