import type { TreeId } from './ids.ts';
import { INSIDE } from './workspace.ts';

export type CheckKind = 'build' | 'unit' | 'typecheck' | 'lint' | 'integration' | 'benchmark';
/** Where a check came from: the repository's configuration, or detection (`package.json script "test"`). */
export interface Check {
  readonly kind: CheckKind;
  /** Shell string, run by `sh -c` inside the sandbox at the root of the tree. */
  readonly command: string;
  readonly source: 'config' | 'detected';
  /** How its per-test results are read; `exit-code` when no known runner was recognised. */
  readonly report: TestRunner | 'exit-code';
  /** Present when a runner was recognised: the same command, made to leave `REPORT_FILE` as well. */
  readonly reportingCommand?: string;
}

/** Where a reporting command leaves its report, inside the sandbox. */
export const REPORT_FILE = `${INSIDE.exchange}/test-report`;

/** Where the sandbox shows the bot's own reporters. */
export const TEST_REPORTERS_DIR = `${INSIDE.bot}/test-reporters`;
export const TEST_REPORTERS = {
  mocha: `${TEST_REPORTERS_DIR}/mocha-reporter.cjs`,
  nodeTest: `${TEST_REPORTERS_DIR}/node-test-reporter.mjs`,
} as const;

export type TestRunner = 'vitest' | 'jest' | 'mocha' | 'node-test';

/** `id` is file, suite path and name joined by ` > `; the same test has the same id on every run. */
export interface TestCase {
  readonly id: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
}

/** One command, run once. */
export interface CheckResult {
  readonly check: Check;
  readonly outcome: 'passed' | 'failed' | 'timed-out' | 'not-run';
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** The last lines of its output, sanitised, at most 4,000 characters. */
  readonly outputTail: string;
  /** Null when the report could not be read: then the exit code decides. */
  readonly tests: readonly TestCase[] | null;
  /** Failures that belong to no test: a suite that does not load, a hook that throws. */
  readonly suiteErrors: readonly string[];
}

export type BaselineMode = 'strict' | 'known-failures';

/** What the untouched tree does: what every later verdict is compared with. */
export interface Baseline {
  readonly tree: TreeId;
  readonly mode: BaselineMode;
  readonly fast: readonly CheckResult[];
  readonly full: readonly CheckResult[];
  /** Test ids that differed between two runs of the same tree: never a reason to revert, never ignored silently. */
  readonly flaky: readonly string[];
  /** Test ids that fail on the untouched tree (`known-failures` only). */
  readonly knownFailures: readonly string[];
  readonly environment: Environment;
}

/** The recorded environment: identical for baseline and every later run. */
export interface Environment {
  readonly variables: Readonly<Record<string, string>>;
  /** `node 24.21.0, npm 11.19.1, pnpm 9.1.0`. */
  readonly toolchain: string;
  /** `bubblewrap` or `unsandboxed`. */
  readonly sandbox: string;
}

/** The answer to "is this tree as good as the baseline?". */
export interface Verdict {
  readonly tree: TreeId;
  readonly level: 'fast' | 'full';
  readonly outcome: 'passed' | 'failed' | 'timed-out';
  readonly problems: readonly VerdictProblem[];
  readonly flakySeen: readonly string[];
  readonly results: readonly CheckResult[];
}

export interface VerdictProblem {
  readonly kind: 'command-failed' | 'test-failed' | 'test-vanished' | 'suite-error' | 'timed-out' | 'report-missing';
  readonly check: string;
  /** The test id or the suite's error; empty for a whole command. */
  readonly subject: string;
  /** One line for a person and for the next attempt. */
  readonly message: string;
}
