import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestRunner } from '../../../../src/domain/verdict.ts';
import { parseTestReport } from '../../../../src/pipeline/verification/parse-test-report/parse-test-report.ts';

const FIXTURES = path.join(import.meta.dirname, '../../../fixtures/test-reports');

function parse(runner: TestRunner, text: string, output = '') {
  return parseTestReport({ runner, text, output, roots: ['/work'] });
}

function recorded(runner: TestRunner, file: string, output = '') {
  const report = parse(runner, readFileSync(path.join(FIXTURES, file), 'utf8'), output);
  return (
    report && { tests: report.tests.map(({ id, outcome }) => `${outcome} ${id}`), suiteErrors: report.suiteErrors }
  );
}

/** The same suite written for every runner; its reports were recorded from real runs. */
const COMMON = [
  'passed test/a.test.js > top',
  'passed test/a.test.js > s > x',
  'failed test/a.test.js > s > x #2',
  'skipped test/a.test.js > s > sk',
  'skipped test/a.test.js > s > td',
  'passed test/a.test.js > s > deep > y',
];

describe('recorded reports', () => {
  it('of vitest', () => {
    const report = recorded(
      'vitest',
      'vitest.json',
      '\n\u001b[31mVitest caught 1 unhandled error during the test run.',
    );
    expect(report?.tests).toEqual([
      ...COMMON,
      'skipped test/a.test.js > hooked > z',
      'passed test/a.test.js > after > w',
      'passed test/c.test.js > late',
    ]);
    expect(report?.suiteErrors).toEqual(['test/b.test.js: does not load', 'unhandled errors']);
  });

  it('of jest', () => {
    const report = recorded('jest', 'jest.json');
    expect(report?.tests).toEqual(
      [...COMMON, 'failed test/a.test.js > hooked > z', 'passed test/a.test.js > after > w'].map((line) =>
        line.replace('test/', 't/'),
      ),
    );
    expect(report?.suiteErrors).toEqual(['t/a.test.js: fails outside of its tests', 't/b.test.js: does not load']);
  });

  it('of mocha', () => {
    const report = recorded('mocha', 'mocha.ndjson');
    expect(report?.tests).toEqual([...COMMON, 'passed test/a.test.js > after > w']);
    expect(report?.suiteErrors).toEqual([
      'test/a.test.js > hooked > "before all" hook for "z": hook fails',
      'test/a.test.js > after > "after each" hook for "w": hook fails',
    ]);
  });

  it('of node --test', () => {
    const report = recorded('node-test', 'node-test.ndjson');
    expect(report?.tests).toEqual([
      ...COMMON.map((line) => line.replace('test/', '')),
      'failed a.test.js > hooked > z',
      'passed a.test.js > parent > child',
      'passed a.test.js > parent',
      'passed c.test.mjs > late',
    ]);
    expect(report?.suiteErrors).toEqual([
      'a.test.js > hooked: suite or hook fails',
      'b.test.js: fails outside of its tests',
      'c.test.mjs: fails outside of its tests',
    ]);
  });
});

describe('what is no report', () => {
  it.each(['', 'null', '[]', '{"testResults":{}}', '{"testResults":[{"name":1}]}'])('is refused: %s', (text) => {
    expect(parse('jest', text)).toBeNull();
    expect(parse('node-test', text)).toBeNull();
  });

  it('includes one that broke off', () => {
    expect(parse('mocha', '{"file":"/work/a","path":["x"],"outcome":"passed"}\n')).toBeNull();
    expect(parse('mocha', '{"end":true}')).toEqual({ tests: [], suiteErrors: [] });
  });
});

it('keeps names to one clean line of bounded length', () => {
  const event = { file: '/work/a.js', path: [`x\n\u202Ey\u001b[1m`, 'z'.repeat(2000)], outcome: 'passed' };
  const report = parse('mocha', `${JSON.stringify(event)}\n{"end":true}`);
  expect(report?.tests[0]?.id).toMatch(/^a\.js > x y \[1m > z+… [0-9a-f]{8}$/);
  expect(report?.tests[0]?.id.length).toBeLessThan(620);
});
