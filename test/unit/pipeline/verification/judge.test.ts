import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTreeId } from '../../../../src/domain/ids.ts';
import type { Baseline, Check, CheckResult, TestCase } from '../../../../src/domain/verdict.ts';
import { judge } from '../../../../src/pipeline/verification/judge.ts';

const TREE = toTreeId('a'.repeat(40));
const UNIT: Check = { kind: 'unit', command: 'npm test', source: 'detected', report: 'vitest' };
const LINT: Check = { kind: 'lint', command: 'npm run lint', source: 'detected', report: 'exit-code' };

function result(check: Check, fields: Partial<CheckResult> = {}): CheckResult {
  return {
    check,
    outcome: 'passed',
    exitCode: 0,
    durationMs: 1,
    outputTail: '',
    tests: null,
    suiteErrors: [],
    ...fields,
  };
}

/** `+a -b ~c`: passed, failed, skipped. Exit code and outcome follow. */
function unit(tests: string, fields: Partial<CheckResult> = {}): CheckResult {
  const outcomes = { '+': 'passed', '-': 'failed', '~': 'skipped' } as const;
  const cases = tests
    .split(' ')
    .filter((word) => word !== '')
    .map((word): TestCase => ({ id: `t.js > ${word.slice(1)}`, outcome: outcomes[word.charAt(0) as '+' | '-' | '~'] }));
  const failed = cases.some((test) => test.outcome === 'failed');
  return result(UNIT, { tests: cases, outcome: failed ? 'failed' : 'passed', exitCode: failed ? 1 : 0, ...fields });
}

function baseline(fast: readonly CheckResult[], fields: Partial<Baseline> = {}): Baseline {
  const environment = { variables: {}, toolchain: '', sandbox: '' };
  return { tree: TREE, mode: 'strict', fast, full: fast, flaky: [], knownFailures: [], environment, ...fields };
}

function verdict(before: Baseline, ...results: readonly CheckResult[]) {
  return judge(before, { tree: TREE, level: 'fast', results });
}

function kinds(before: Baseline, ...results: readonly CheckResult[]): readonly string[] {
  return verdict(before, ...results).problems.map(({ kind, subject }) =>
    `${kind} ${subject.replace('t.js > ', '')}`.trim(),
  );
}

const GREEN = baseline([unit('+a +b'), result(LINT)]);
const FAILED = { outcome: 'failed', exitCode: 1 } as const;

describe('a strict baseline', () => {
  it('is met by the same, and by more tests', () => {
    expect(verdict(GREEN, unit('+a +b'), result(LINT))).toMatchObject({ outcome: 'passed', problems: [] });
    expect(verdict(GREEN, unit('+a +b +c'), result(LINT)).outcome).toBe('passed');
  });

  it('names every test that fails, vanishes or is skipped now', () => {
    expect(kinds(GREEN, unit('-a ~b'), result(LINT))).toEqual(['test-failed a', 'test-vanished b']);
    expect(kinds(GREEN, unit('+a'), result(LINT))).toEqual(['test-vanished b']);
    expect(kinds(GREEN, unit('+a +b -new'), result(LINT))).toEqual(['test-failed new']);
  });

  it('wants every command to succeed, to be run, and to report', () => {
    expect(kinds(GREEN, unit('+a +b', FAILED), result(LINT))).toEqual(['command-failed']);
    expect(kinds(GREEN, unit('+a +b'), result(LINT, FAILED))).toEqual(['command-failed']);
    expect(kinds(GREEN, unit('+a +b'), result(LINT, { outcome: 'not-run', exitCode: null }))).toEqual([
      'command-failed',
    ]);
    expect(kinds(GREEN, unit('+a +b'))).toEqual(['command-failed']);
    expect(kinds(GREEN, result(UNIT), result(LINT))).toEqual(['report-missing']);
    expect(kinds(GREEN, unit('+a +b', { suiteErrors: ['x.js: does not load'] }), result(LINT))).toEqual([
      'suite-error x.js: does not load',
    ]);
  });

  it('tells running out of time from failing', () => {
    const late = result(UNIT, { outcome: 'timed-out', exitCode: null });
    const notRun = result(LINT, { outcome: 'not-run', exitCode: null });
    expect(verdict(GREEN, late, notRun).outcome).toBe('timed-out');
    expect(verdict(GREEN, late, result(LINT, FAILED)).outcome).toBe('failed');
  });
});

describe('a flaky test', () => {
  const flaky = baseline([unit('+a +b')], { flaky: ['t.js > b'] });

  it('decides nothing alone, and is named', () => {
    expect(verdict(flaky, unit('+a -b'))).toMatchObject({ outcome: 'passed', flakySeen: ['t.js > b'] });
    expect(verdict(flaky, unit('+a')).outcome).toBe('passed');
  });

  it('excuses nothing else', () => {
    expect(kinds(flaky, unit('-a -b'))).toEqual(['test-failed a']);
    expect(kinds(flaky, unit('+a -b', { suiteErrors: ['hook'] }))).toEqual(['suite-error hook']);
    expect(kinds(flaky, unit('+a +b', FAILED))).toEqual(['command-failed']);
  });
});

describe('known failures', () => {
  const red = baseline([unit('+a -k', { suiteErrors: ['x.js: hook'] })], {
    mode: 'known-failures',
    knownFailures: ['t.js > k'],
  });

  it('may stay, or be mended', () => {
    expect(verdict(red, unit('+a -k', { suiteErrors: ['x.js: hook'] })).outcome).toBe('passed');
    expect(verdict(red, unit('+a +k')).outcome).toBe('passed');
    expect(verdict(red, unit('+a', { ...FAILED, suiteErrors: ['x.js: hook'] })).outcome).toBe('passed');
  });

  it('hide no new one', () => {
    expect(kinds(red, unit('-a -k'))).toEqual(['test-failed a']);
    expect(kinds(red, unit('-k'))).toEqual(['test-vanished a']);
    expect(kinds(red, unit('+a -k', { suiteErrors: ['x.js: hook', 'y.js: hook'] }))).toEqual([
      'suite-error y.js: hook',
    ]);
    expect(kinds(red, unit('+a +k', FAILED))).toEqual(['command-failed']);
    expect(kinds(red, result(UNIT, FAILED))).toEqual(['report-missing']);
  });
});

describe('a moved test file', () => {
  const before = baseline([
    result(UNIT, {
      tests: [
        { id: 'old.js > s > a', outcome: 'passed' },
        { id: 'old.js > s > b', outcome: 'passed' },
      ],
    }),
  ]);
  const at = (ids: readonly string[]) =>
    kinds(before, result(UNIT, { tests: ids.map((id) => ({ id, outcome: 'passed' })) }));

  it('is not taken for deleted tests', () => {
    expect(at(['new.js > s > a', 'new.js > s > b'])).toEqual([]);
  });

  it('must bring every test, and cannot be stood in for by a copy', () => {
    expect(at(['new.js > s > a'])).toEqual(['test-vanished old.js > s > b']);
    expect(at(['old.js > s > a', 'new.js > s > b'])).toEqual(['test-vanished old.js > s > b']);
  });
});

describe('for any results', () => {
  const names = ['a', 'b', 'c', 'd'];
  const outcome = fc.constantFrom('+', '-', '~', '');
  const run = fc
    .tuple(fc.array(outcome, { minLength: 4, maxLength: 4 }), fc.subarray(['x: hook', 'y: hook']))
    .map(([marks, suiteErrors]) => {
      const words = marks.flatMap((mark, at) => (mark === '' ? [] : [`${mark}${names[at]}`]));
      return unit(words.join(' '), suiteErrors.length > 0 ? { ...FAILED, suiteErrors } : {});
    });
  const before = fc
    .record({
      first: run,
      mode: fc.constantFrom('strict' as const, 'known-failures' as const),
      flaky: fc.subarray(names),
    })
    .map(({ first, mode, flaky }) => baseline([first], { mode, flaky: flaky.map((name) => `t.js > ${name}`) }));

  it('an accepted baseline passes against itself', () => {
    fc.assert(
      fc.property(before, (given) => {
        const accepted = given.mode === 'known-failures' || given.fast[0]?.outcome === 'passed';
        fc.pre(accepted);
        expect(verdict(given, ...given.fast).outcome).toBe('passed');
      }),
    );
  });

  it('a test that passed and fails now is never let through, whatever else happened', () => {
    fc.assert(
      fc.property(before, run, fc.constantFrom(...names), (given, now, name) => {
        const id = `t.js > ${name}`;
        const passed = given.fast[0]?.tests?.some((test) => test.id === id && test.outcome === 'passed') ?? false;
        fc.pre(passed && !given.flaky.includes(id));
        const others = (now.tests ?? []).filter((test) => test.id !== id);
        const broken = result(UNIT, { ...now, ...FAILED, tests: [...others, { id, outcome: 'failed' }] });
        expect(verdict(given, broken).outcome).toBe('failed');
      }),
    );
  });

  it('one more failure never makes a failed verdict pass', () => {
    fc.assert(
      fc.property(before, run, fc.constantFrom(...names), (given, now, name) => {
        const id = `t.js > ${name}`;
        const was = given.fast[0]?.tests?.find((test) => test.id === id)?.outcome;
        fc.pre(!given.flaky.includes(id) && was !== 'failed' && verdict(given, now).outcome !== 'passed');
        const others = (now.tests ?? []).filter((test) => test.id !== id);
        expect(
          verdict(given, result(UNIT, { ...now, ...FAILED, tests: [...others, { id, outcome: 'failed' }] })).outcome,
        ).not.toBe('passed');
      }),
    );
  });

  it('problems and outcome agree, and judging changes nothing it is given', () => {
    fc.assert(
      fc.property(before, run, (given, now) => {
        const copy = structuredClone({ given, now });
        const found = verdict(given, now);
        expect(found.outcome === 'passed').toBe(found.problems.length === 0);
        expect({ given, now }).toEqual(copy);
      }),
    );
  });
});
