import type { TreeId } from '../../domain/ids.ts';
import type { Baseline, BaselineMode, CheckResult, TestCase, Verdict, VerdictProblem } from '../../domain/verdict.ts';
import { movedTests } from './moved-tests.ts';

export interface Judged {
  readonly tree: TreeId;
  readonly level: Verdict['level'];
  readonly results: readonly CheckResult[];
}

type ProblemWords = Pick<VerdictProblem, 'kind' | 'message'> & Partial<Pick<VerdictProblem, 'subject'>>;

/** What one check did before, what it does now, and what is known about its tests. */
interface Comparison {
  readonly before: CheckResult;
  readonly now: CheckResult;
  readonly mode: BaselineMode;
  readonly flaky: ReadonlySet<string>;
}

/**
 * Is this tree as good as the untouched one? Every check of the level must have been run; a test that passed must pass; a test
 * that is known to be flaky decides nothing by itself, and is named when it was seen to fail. Pure.
 */
export function judge(baseline: Baseline, judged: Judged): Verdict {
  const flaky = new Set(baseline.flaky);
  const expected = judged.level === 'fast' ? baseline.fast : baseline.full;
  const pairs = expected.map((before) => ({
    before,
    now: judged.results.find((result) => isSameCheck(result, before)) ?? null,
  }));
  const problems = pairs.flatMap(({ before, now }) =>
    didRun(now) ? compare({ before, now, mode: baseline.mode, flaky }) : [],
  );
  const missing = pairs
    .filter(({ now }) => !didRun(now))
    .map(({ before }) => problemOf(before, { kind: 'command-failed', message: 'It was not run.' }));
  const failing = judged.results.flatMap((result) => failedIds(result));
  return {
    ...judged,
    outcome: outcomeOf(problems, missing),
    problems: [...problems, ...missing],
    flakySeen: [...new Set(failing.filter((id) => flaky.has(id)))],
  };
}

export function isSameCheck(a: CheckResult, b: CheckResult): boolean {
  return a.check.kind === b.check.kind && a.check.command === b.check.command;
}

export function failedIds(result: CheckResult): readonly string[] {
  return (result.tests ?? []).filter((test) => test.outcome === 'failed').map((test) => test.id);
}

function didRun(result: CheckResult | null): result is CheckResult {
  return result !== null && result.outcome !== 'not-run';
}

/** What was not run because a check before it timed out is no failure of its own. */
function outcomeOf(problems: readonly VerdictProblem[], missing: readonly VerdictProblem[]): Verdict['outcome'] {
  if (problems.length === 0) return missing.length === 0 ? 'passed' : 'failed';
  return problems.every((problem) => problem.kind === 'timed-out') ? 'timed-out' : 'failed';
}

function compare(comparison: Comparison): readonly VerdictProblem[] {
  const { before, now } = comparison;
  if (now.outcome === 'timed-out') {
    return [problemOf(now, { kind: 'timed-out', message: 'It was stopped before it came to its end.' })];
  }
  if (before.tests !== null && now.tests === null) {
    const ending = now.outcome === 'failed' ? ` ${exitWords(now)}.` : '';
    const message = `It left a test report on the untouched tree and leaves none now.${ending}`;
    return [problemOf(now, { kind: 'report-missing', message })];
  }
  const named = [...failedTests(comparison), ...vanishedTests(comparison), ...newSuiteErrors(comparison)];
  return named.length > 0 ? named : unnamedFailure(comparison);
}

function failedTests({ before, now, flaky }: Comparison): readonly VerdictProblem[] {
  const was = outcomesById(before);
  return failedIds(now)
    .filter((id) => was.get(id) !== 'failed' && !flaky.has(id))
    .map((id) => {
      const message =
        was.get(id) === 'passed'
          ? 'It passed on the untouched tree and fails now.'
          : 'It did not run on the untouched tree, and fails.';
      return problemOf(now, { kind: 'test-failed', subject: id, message });
    });
}

function vanishedTests({ before, now, flaky }: Comparison): readonly VerdictProblem[] {
  const was = outcomesById(before);
  const is = outcomesById(now);
  const moved = movedTests(was, is);
  return [...was.keys()]
    .filter((id) => was.get(id) === 'passed' && !flaky.has(id) && !moved.has(id))
    .filter((id) => !is.has(id) || is.get(id) === 'skipped')
    .map((id) => {
      const message = `It passed on the untouched tree and is ${is.has(id) ? 'skipped' : 'not run'} now.`;
      return problemOf(now, { kind: 'test-vanished', subject: id, message });
    });
}

function newSuiteErrors({ before, now }: Comparison): readonly VerdictProblem[] {
  const message = 'A suite or hook fails that did not on the untouched tree.';
  return now.suiteErrors
    .filter((error) => !before.suiteErrors.includes(error))
    .map((error) => problemOf(now, { kind: 'suite-error', subject: error, message }));
}

/** The command failed, and nothing new in its report says why: is what is known from the baseline reason enough? */
function unnamedFailure({ before, now, mode, flaky }: Comparison): readonly VerdictProblem[] {
  if (now.outcome !== 'failed') return [];
  const failed = failedIds(now);
  const onlyFlaky = failed.length > 0 && failed.every((id) => flaky.has(id));
  if (onlyFlaky) return [];
  // Every failing id and suite error that is left was there before.
  const hasKnownReason = failed.length > 0 || now.suiteErrors.length > 0;
  if (mode === 'known-failures' && before.outcome === 'failed' && hasKnownReason) return [];
  return [problemOf(now, { kind: 'command-failed', message: `${exitWords(now)}.` })];
}

function exitWords(result: CheckResult): string {
  return result.exitCode === null ? 'The command was ended by a signal' : `The command exits with ${result.exitCode}`;
}

function outcomesById(result: CheckResult): ReadonlyMap<string, TestCase['outcome']> {
  return new Map((result.tests ?? []).map((test) => [test.id, test.outcome]));
}

function problemOf(result: CheckResult, problem: ProblemWords): VerdictProblem {
  return { subject: '', ...problem, check: result.check.command };
}
