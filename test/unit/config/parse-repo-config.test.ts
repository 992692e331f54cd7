import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseRepoConfig } from '../../../src/config/parse-repo-config.ts';

function problemsOf(text: string, format: 'yaml' | 'json' = 'yaml') {
  const parsed = parseRepoConfig(text, format);
  if (parsed.ok) throw new Error('This file was accepted.');
  return parsed.problems;
}

test.each(['', '# only a comment\n', '{}'])('%j keeps every default', (text) => {
  expect(parseRepoConfig(text, 'yaml')).toEqual({ ok: true, config: {} });
});

test('reads YAML and JSON alike', () => {
  const config = { label: 'tidy', limits: { file_lines: 300 }, scope_excludes: ['gen/**'] };
  const yaml = 'label: tidy\nlimits:\n  file_lines: 300\nscope_excludes: [gen/**]\n';
  expect(parseRepoConfig(yaml, 'yaml')).toEqual({ ok: true, config });
  expect(parseRepoConfig(JSON.stringify(config), 'json')).toEqual({ ok: true, config });
});

test('names every problem with its path, what stands there and what may', () => {
  const text = [
    'lable: tidy',
    'retry_per_batch: 9',
    'baseline: loose',
    'allow_without_tests: "yes"',
    'fast_verifier: npm test',
    'operations: [split-types, format]',
    'limits: { file_lines: 1, file_line: 4 }',
    'zebra: 1',
  ].join('\n');
  expect(problemsOf(text)).toEqual(
    expect.arrayContaining([
      { path: 'lable', given: '"tidy"', allowed: 'no such key; did you mean label?' },
      { path: 'retry_per_batch', given: '9', allowed: 'at most 5' },
      { path: 'baseline', given: '"loose"', allowed: 'one of strict, known-failures' },
      { path: 'allow_without_tests', given: '"yes"', allowed: 'true or false' },
      { path: 'fast_verifier', given: '"npm test"', allowed: 'a list' },
      {
        path: 'operations[1]',
        given: '"format"',
        allowed: 'one of remove-unused-imports, remove-unused-declarations, split-types',
      },
      { path: 'limits.file_lines', given: '1', allowed: 'at least 50' },
      { path: 'limits.file_line', given: '4', allowed: 'no such key; did you mean file_lines?' },
      { path: 'zebra', given: '1', allowed: expect.stringMatching(/^no such key; the keys are label, /) },
    ]),
  );
});

test('what is no file of keys is one problem', () => {
  expect(problemsOf('- a\n- b')).toEqual([{ path: '', given: '["a","b"]', allowed: 'keys with values' }]);
  expect(problemsOf('a: [1')).toHaveLength(1);
  expect(problemsOf('{"a":', 'json')).toHaveLength(1);
  expect(problemsOf('label: a\nlabel: b')).toHaveLength(1);
});

test('tags other than the core schema are refused', () => {
  expect(problemsOf('label: !!js/function "function () {}"')).toHaveLength(1);
});

test('aliases cannot blow a small file up', () => {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const items = Array.from({ length: 9 }, () => (level === 0 ? 'x' : `*l${level - 1}`)).join(', ');
    return `l${level}: &l${level} [${items}]`;
  });
  const problems = problemsOf(levels.join('\n'));
  expect(JSON.stringify(problems).length).toBeLessThan(1000);
});

test('a file that contains itself, or is nested too deep, or is huge, is one problem', () => {
  expect(problemsOf('scope_includes: &a [*a]').length).toBeGreaterThan(0);
  expect(problemsOf('['.repeat(60_000)).length).toBeGreaterThan(0);
  expect(problemsOf('['.repeat(60_000), 'json').length).toBeGreaterThan(0);
  expect(problemsOf(`label: ${'x'.repeat(70_000)}`)[0]?.allowed).toContain('65536');
});

test('says which label a broken file names', () => {
  expect(parseRepoConfig('label: tidy\nlable: x', 'yaml')).toMatchObject({ ok: false, label: 'tidy' });
  expect(parseRepoConfig('label: [tidy]', 'yaml')).toMatchObject({ ok: false, label: null });
});

test('never throws, whatever it reads', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc
      .array(
        fc.constantFrom('label', ': ', '- ', '\n', '  ', '&a ', '*a', '!!x ', '{', '[', '"', '<<: ', '|', '__proto__'),
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, fc.constantFrom('yaml' as const, 'json' as const), (input, format) => {
      parseRepoConfig(input, format);
    }),
    { numRuns: 500 },
  );
});
