import type { Check, CheckResult, VerdictProblem } from '../domain/verdict.ts';
import type { CheckSummary } from '../domain/ledger.ts';
import type { RunContext } from './run-context.ts';
import type { TreeId } from '../domain/ids.ts';
import { checkLimits } from './verification/sandbox-limits.ts';
import { checkOnce, groupChecks } from './verification/verdict-cache.ts';
import { judge } from './verification/judge.ts';
import { runChecks } from './verification/run-checks.ts';

/** The judgement of one tree, small enough for the ledger. `reasons` are what the next attempt is told. */
export interface Verified {
  readonly passed: boolean;
  readonly reasons: readonly string[];
  readonly checks: readonly CheckSummary[];
}

/** Is this tree as good as the baseline? The checks are those the baseline ran; one that this tree has passed is not run again. */
export async function verifyTree(
  request: { readonly tree: TreeId; readonly level: 'fast' | 'full' },
  context: RunContext,
  signal: AbortSignal,
): Promise<Verified> {
  const { tree, level } = request;
  const baseline = await context.baseline();
  const results: CheckResult[] = [];
  const problems: VerdictProblem[] = [];
  const expected = level === 'fast' ? baseline.fast : baseline.full;
  for (const checks of groupChecks(expected.map((result) => result.check))) {
    const ran = await checkOnce({ tree, checks, environment: baseline.environment }, context.results, async () => {
      await context.checkout(tree);
      return runGroup(checks, context, signal);
    });
    results.push(...ran);
    const before = expected.filter((result) => checks.includes(result.check));
    problems.push(...judge({ ...baseline, fast: before, full: before }, { tree, level, results: ran }).problems);
    // Enough to refuse a patch; the last word on a branch names everything that is wrong.
    if (level === 'fast' && problems.length > 0) break;
  }
  return { passed: problems.length === 0, reasons: problems.map(describeProblem), checks: results.map(summarizeCheck) };
}

async function runGroup(
  checks: readonly Check[],
  context: RunContext,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const { environment } = await context.baseline();
  return runChecks({
    sandbox: context.ports.sandbox,
    workspace: context.workspace,
    checks,
    environment,
    limits: checkLimits(context.options.limits.checkMs),
    stopAtFailure: false,
    signal,
  });
}

function describeProblem(problem: VerdictProblem): string {
  const subject = problem.subject === '' ? '' : `${problem.subject}: `;
  return `${problem.check}: ${subject}${problem.message}`;
}

export function summarizeCheck(result: CheckResult): CheckSummary {
  const { tests } = result;
  const count = (outcome: 'passed' | 'failed' | 'skipped') =>
    tests?.filter((test) => test.outcome === outcome).length ?? 0;
  return {
    command: result.check.command,
    outcome: result.outcome,
    durationMs: result.durationMs,
    tests: tests === null ? null : { passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
  };
}
