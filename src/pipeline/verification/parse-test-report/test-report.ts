import type { TestCase, TestRunner } from '../../../domain/verdict.ts';

/** What a report says. Written by code that nobody vouches for: names are bounded and cleaned, paths are names and never opened. */
export interface TestReport {
  readonly tests: readonly TestCase[];
  /** Failures that belong to no test, the same text for the same failure on every run. */
  readonly suiteErrors: readonly string[];
}

export interface RawReport {
  readonly runner: TestRunner;
  readonly text: string;
  /** What the command printed: vitest tells of unhandled errors there alone. */
  readonly output: string;
  /** Directories that mean the root of the tree in the report's paths. */
  readonly roots: readonly string[];
}
