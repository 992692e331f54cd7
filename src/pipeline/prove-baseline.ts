import type { Baseline } from '../domain/verdict.ts';
import type { LedgerEvent } from '../domain/ledger.ts';
import type { RunContext } from './run-context.ts';
import { checkLimits } from './verification/sandbox-limits.ts';
import { recordBaseline, type BaselineOutcome } from './verification/record-baseline.ts';
import { summarizeCheck } from './verify-tree.ts';

/** Every required check on the untouched tree, before anything changes. Not green: the run ends here and says which command. */
export async function proveBaseline(context: RunContext): Promise<void> {
  await context.steps.run('baseline', async (signal) => {
    const environment = await context.checkout(context.baseTree);
    const outcome = await recordBaseline({
      sandbox: context.ports.sandbox,
      workspace: context.workspace,
      tree: context.baseTree,
      toolchain: await context.toolchain(),
      options: context.options,
      environment,
      limits: checkLimits(context.options.limits.checkMs),
      signal,
    });
    const text = outcome.kind === 'no-checks-found' ? '' : JSON.stringify(outcome.baseline);
    return { output: await context.ports.store.putContent(text), events: eventsOf(outcome) };
  });
}

function eventsOf(outcome: BaselineOutcome): LedgerEvent[] {
  switch (outcome.kind) {
    case 'recorded':
      return [describe(outcome.baseline, true), { type: 'state-entered', state: 'indexing' }];
    case 'red':
      return [
        describe(outcome.baseline, false),
        {
          type: 'failed',
          code: 'baseline-red',
          category: 'repository',
          message: `${outcome.reason} Nothing was changed. Make it pass on the default branch, or set "baseline: known-failures", then ask again.`,
          evidence: outcome.culprit.outputTail,
        },
        { type: 'state-entered', state: 'failed' },
      ];
    case 'no-checks-found':
      return [
        { type: 'failed', code: 'no-checks-found', category: 'repository', message: outcome.reason, evidence: '' },
        { type: 'state-entered', state: 'failed' },
      ];
  }
}

function describe(baseline: Baseline, green: boolean): LedgerEvent {
  const checks = [
    ...baseline.fast,
    ...baseline.full.filter((result) => !baseline.fast.some((fast) => fast.check.command === result.check.command)),
  ];
  return {
    type: 'baseline-recorded',
    green,
    environment: baseline.environment,
    checks: checks.map(summarizeCheck),
    knownFailures: baseline.knownFailures.length,
    flaky: baseline.flaky,
  };
}
