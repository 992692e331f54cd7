import path from 'node:path';
import { BotError } from '../../domain/errors.ts';
import {
  type Check,
  type CheckResult,
  type Environment,
  REPORT_FILE,
  TEST_REPORTERS_DIR,
} from '../../domain/verdict.ts';
import { INSIDE, type TrustedPath, type Workspace } from '../../domain/workspace.ts';
import type { Sandbox, SandboxLimits, SandboxResult } from '../../sandbox/sandbox.ts';
import { outputTail } from './output-tail.ts';
import { parseTestReport } from './parse-test-report/parse-test-report.ts';
import type { TestReport } from './parse-test-report/test-report.ts';
import { READ_LIMITS } from './sandbox-limits.ts';

export interface CheckRun {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly checks: readonly Check[];
  readonly environment: Environment;
  readonly limits: SandboxLimits;
  /** The rest is `not-run` after a failure: enough to refuse a patch, not enough for a baseline. */
  readonly stopAtFailure: boolean;
  readonly signal: AbortSignal;
}

/** The bot's own, so it may be shown to the sandbox. */
const REPORTERS_ON_HOST = path.join(import.meta.dirname, 'test-reporters') as TrustedPath;

/** Runs the checks in order on the tree as it stands, without network. Throws `sandbox-too-weak` when a command cannot be started. */
export async function runChecks(run: CheckRun): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of run.checks) {
    const failed = results.some((result) => result.outcome !== 'passed');
    results.push(failed && run.stopAtFailure ? notRun(check) : await runCheck(check, run));
  }
  return results;
}

async function runCheck(check: Check, run: CheckRun): Promise<CheckResult> {
  const result = await runInTree(check.reportingCommand ?? check.command, run);
  const { outcome } = result;
  if (outcome.kind === 'setup-failed') {
    throw new BotError('sandbox-too-weak', `The sandbox could not start "${check.command}": ${outcome.detail}`);
  }
  const report = await readReport(check, result.output, run);
  return {
    check,
    outcome: outcomeOf(outcome),
    exitCode: outcome.kind === 'exited' ? outcome.code : null,
    durationMs: Math.round(result.durationMs),
    outputTail: outputTail(`${result.output}\n${endingOf(outcome)}`),
    tests: report?.tests ?? null,
    suiteErrors: report?.suiteErrors ?? [],
  };
}

async function runInTree(command: string, run: CheckRun): Promise<SandboxResult> {
  const { workspace } = run;
  return run.sandbox.run(
    {
      // A report left by an earlier command must not pass for this one's.
      argv: ['/bin/sh', '-c', `rm -rf ${REPORT_FILE}\n${command}`],
      cwd: INSIDE.tree,
      mounts: [
        { host: workspace.treeDir, at: INSIDE.tree, mode: 'rw' },
        { host: workspace.toolsDir, at: INSIDE.tools, mode: 'ro' },
        { host: workspace.toolchainDir, at: INSIDE.toolchain, mode: 'ro' },
        { host: workspace.exchangeDir, at: INSIDE.exchange, mode: 'rw' },
        { host: REPORTERS_ON_HOST, at: TEST_REPORTERS_DIR, mode: 'ro' },
      ],
      env: run.environment.variables,
      network: { mode: 'none' },
      limits: run.limits,
    },
    run.signal,
  );
}

/**
 * Read by a command in the sandbox, never by the bot's own process: the file was written by untrusted code, and a link, pipe or
 * endless file there reaches nothing and ends with the sandbox.
 */
async function readReport(check: Check, output: string, run: CheckRun): Promise<TestReport | null> {
  if (check.report === 'exit-code') return null;
  const read = await run.sandbox.run(
    {
      argv: ['/bin/sh', '-c', `test -f ${REPORT_FILE} && cat ${REPORT_FILE}`],
      cwd: '/',
      mounts: [{ host: run.workspace.exchangeDir, at: INSIDE.exchange, mode: 'ro' }],
      env: run.environment.variables,
      network: { mode: 'none' },
      limits: READ_LIMITS,
    },
    run.signal,
  );
  if (read.outcome.kind !== 'exited' || read.outcome.code !== 0 || read.droppedBytes > 0) return null;
  // Without a sandbox the runner sees the host's own path of the tree.
  const roots = [INSIDE.tree, run.workspace.treeDir];
  return parseTestReport({ runner: check.report, text: read.stdout, output, roots });
}

function outcomeOf(outcome: SandboxResult['outcome']): CheckResult['outcome'] {
  if (outcome.kind === 'timed-out' || outcome.kind === 'silent') return 'timed-out';
  return outcome.kind === 'exited' && outcome.code === 0 ? 'passed' : 'failed';
}

/** What the command's own output cannot say. */
function endingOf(outcome: SandboxResult['outcome']): string {
  switch (outcome.kind) {
    case 'exited':
      return '';
    case 'signalled':
      return `Ended by ${outcome.signal}.`;
    case 'timed-out':
    case 'silent':
    case 'out-of-memory':
    case 'out-of-disk':
    case 'setup-failed':
      return `Stopped (${outcome.kind}): ${outcome.detail}`;
  }
}

function notRun(check: Check): CheckResult {
  return { check, outcome: 'not-run', exitCode: null, durationMs: 0, outputTail: '', tests: null, suiteErrors: [] };
}
