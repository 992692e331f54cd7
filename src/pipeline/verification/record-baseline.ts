import type { TreeId } from '../../domain/ids.ts';
import type { RunOptions } from '../../domain/options.ts';
import type { Toolchain } from '../../domain/toolchain.ts';
import type { Baseline, Check, CheckResult, TestCase } from '../../domain/verdict.ts';
import { failedIds, isSameCheck } from './judge.ts';
import { type CheckRun, runChecks } from './run-checks.ts';

export interface BaselineRequest extends Omit<CheckRun, 'checks' | 'stopAtFailure'> {
  readonly tree: TreeId;
  readonly toolchain: Pick<Toolchain, 'checks'>;
  readonly options: Pick<RunOptions, 'baseline' | 'allowWithoutTests'>;
}

export type BaselineOutcome =
  | { readonly kind: 'recorded'; readonly baseline: Baseline }
  /** A check fails on the untouched tree: nothing may be changed. `baseline` holds all that was seen. */
  | { readonly kind: 'red'; readonly baseline: Baseline; readonly culprit: CheckResult; readonly reason: string }
  | { readonly kind: 'no-checks-found'; readonly reason: string };

type RunEach = (checks: readonly Check[]) => Promise<readonly CheckResult[]>;

/**
 * What the untouched tree does. Every check is run, and the unit tests twice to find the flaky ones. Later verdicts take
 * their checks from here, not from the toolchain: a check may have turned out to need a build first, or to leave no report.
 */
export async function recordBaseline(request: BaselineRequest): Promise<BaselineOutcome> {
  const { toolchain, options } = request;
  if (!options.allowWithoutTests && !toolchain.checks.fast.some((check) => check.kind === 'unit')) {
    return { kind: 'no-checks-found', reason: NO_CHECKS };
  }
  const runEach: RunEach = async (checks) => runChecks({ ...request, checks, stopAtFailure: false });
  const fast = await runFast(toolchain, runEach);
  const again = await runEach(fast.map((result) => result.check).filter((check) => check.kind === 'unit'));
  const builtFirst = fast.filter(
    (result) => !toolchain.checks.fast.some((check) => check.command === result.check.command),
  );
  const full = await runFull([...builtFirst.map((result) => result.check), ...toolchain.checks.full], {
    fast,
    runEach,
  });
  const seen = {
    fast: fast.map((result) => steadier(result, again)),
    full: full.map((result) => steadier(result, again)),
  };
  const flaky = [
    ...new Set(
      again.flatMap((second) =>
        flakyBetween(
          fast.find((first) => isSameCheck(first, second)),
          second,
        ),
      ),
    ),
  ];
  const all = [...seen.fast, ...seen.full];
  const failing = new Set(all.flatMap(failedIds).filter((id) => !flaky.includes(id)));
  const baseline: Baseline = {
    tree: request.tree,
    mode: options.baseline,
    ...seen,
    flaky,
    knownFailures: options.baseline === 'known-failures' ? [...failing] : [],
    environment: request.environment,
  };
  const red = all.find((result) => !isAcceptable(result, baseline));
  return red === undefined
    ? { kind: 'recorded', baseline }
    : { kind: 'red', baseline, culprit: red, reason: reasonFor(red, options.baseline) };
}

const NO_CHECKS =
  'No unit tests were found. Add a test script, name the commands in "fast_verifier", or set "allow_without_tests" for refactorings that carry their own proof.';

/** Test ids whose outcome or presence differs between two runs of the same tree. */
export function flakyBetween(first: CheckResult | undefined, second: CheckResult): readonly string[] {
  if (!first?.tests || !second.tests) return [];
  const before = outcomes(first.tests);
  const after = outcomes(second.tests);
  return [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id));
}

function outcomes(tests: readonly TestCase[]): ReadonlyMap<string, TestCase['outcome']> {
  return new Map(tests.map((test) => [test.id, test.outcome]));
}

/**
 * The fast checks; if a unit test command fails, once more after the build, as many suites test what they built. When that helps,
 * the build belongs to the fast checks: an old build would hide what a patch breaks.
 */
async function runFast(toolchain: Pick<Toolchain, 'checks'>, runEach: RunEach): Promise<readonly CheckResult[]> {
  const plain = await withoutRefusedReports(await runEach(toolchain.checks.fast), runEach);
  const build = toolchain.checks.full.find((check) => check.kind === 'build');
  const failedUnits = plain.filter((result) => result.check.kind === 'unit' && result.outcome === 'failed');
  if (build === undefined || failedUnits.length === 0 || plain.some((result) => result.check.kind === 'build'))
    return plain;
  const built = await runEach([build]);
  if (built.some((result) => result.outcome !== 'passed')) return plain;
  const fast = await withoutRefusedReports(await runEach(plain.map((result) => result.check)), runEach);
  return failureCount(fast) < failureCount(plain) ? [...built, ...fast] : plain;
}

function failureCount(results: readonly CheckResult[]): number {
  return results
    .filter((result) => result.outcome !== 'passed')
    .reduce((sum, result) => sum + 1 + failedIds(result).length + result.suiteErrors.length, 0);
}

/**
 * A runner that left no report may be too old for the arguments, or be set up so that they do not reach it. It is asked again
 * without them, and from then on its exit code decides.
 */
async function withoutRefusedReports(
  results: readonly CheckResult[],
  runEach: RunEach,
): Promise<readonly CheckResult[]> {
  const settled: CheckResult[] = [];
  for (const result of results) {
    const refused = result.check.report !== 'exit-code' && result.tests === null && result.outcome !== 'timed-out';
    const { kind, command, source } = result.check;
    settled.push(...(refused ? await runEach([{ kind, command, source, report: 'exit-code' }]) : [result]));
  }
  return settled;
}

/** What `full` shares with `fast` was run on this tree already. */
async function runFull(
  checks: readonly Check[],
  ran: { readonly fast: readonly CheckResult[]; readonly runEach: RunEach },
): Promise<readonly CheckResult[]> {
  const known = (check: Check) => ran.fast.find((result) => result.check.command === check.command);
  const fresh = await withoutRefusedReports(await ran.runEach(checks.filter((check) => !known(check))), ran.runEach);
  const results = checks.flatMap(
    (check) => known(check) ?? fresh.find((result) => result.check.command === check.command) ?? [],
  );
  return behindTheBuild([...new Set(results)], ran);
}

/** Checks that fail before the build and pass behind it, as some look at what was built (type tests): there they stand from then on. */
async function behindTheBuild(
  results: readonly CheckResult[],
  ran: { readonly fast: readonly CheckResult[]; readonly runEach: RunEach },
): Promise<readonly CheckResult[]> {
  const built = results.findIndex(({ check, outcome }) => check.kind === 'build' && outcome === 'passed');
  const early = results
    .slice(0, Math.max(built, 0))
    .filter((result) => result.outcome === 'failed' && !ran.fast.includes(result));
  const again = await ran.runEach(early.map((result) => result.check));
  const helped = again.filter((result) => result.outcome === 'passed');
  return [...results.filter((result) => !helped.some((later) => isSameCheck(later, result))), ...helped];
}

/**
 * One result of two runs of a check. With tests that have names it is the run that passed: what failed in the other is flaky, and
 * named. Without, it is the run that failed: such a command could never be believed again.
 */
function steadier(result: CheckResult, again: readonly CheckResult[]): CheckResult {
  const second = again.find((candidate) => isSameCheck(candidate, result));
  if (second === undefined) return result;
  if (result.check.report === 'exit-code') return second.outcome === 'passed' ? result : second;
  if (second.outcome === 'passed' && second.tests !== null) return second;
  return { ...result, suiteErrors: [...new Set([...result.suiteErrors, ...second.suiteErrors])] };
}

function isAcceptable(result: CheckResult, baseline: Baseline): boolean {
  if (result.outcome === 'passed') return true;
  if (result.outcome !== 'failed') return false;
  const failed = failedIds(result);
  const isNamed = failed.length > 0 || result.suiteErrors.length > 0;
  if (baseline.mode === 'known-failures') return isNamed;
  return failed.length > 0 && result.suiteErrors.length === 0 && failed.every((id) => baseline.flaky.includes(id));
}

function reasonFor(result: CheckResult, mode: Baseline['mode']): string {
  const { command } = result.check;
  if (result.outcome === 'timed-out') return `"${command}" does not come to its end on the untouched tree.`;
  if (mode === 'known-failures') return `"${command}" fails on the untouched tree and does not say which tests do.`;
  const failed = failedIds(result).length;
  return `"${command}" fails on the untouched tree${failed > 0 ? ` (${failed} failing ${failed === 1 ? 'test' : 'tests'})` : ''}.`;
}
