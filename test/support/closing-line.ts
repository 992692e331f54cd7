import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/**
 * Ends the output with `N passed, N failed`, which readers of any language's runners understand. In CI a skipped test fails the
 * run: there everything that tests need is installed.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state } = test.result();
        if (state !== 'pending') count[state] += 1;
      }
      if (module.state() === 'failed' && tests.every((test) => test.result().state !== 'failed')) count.failed += 1;
    }
    count.failed += errors.length;
    const mustNotSkip = process.env['CI'] === 'true' && count.skipped > 0;
    if (mustNotSkip) process.stdout.write(`\nIn CI nothing may be skipped: install what the skipped tests name.\n`);
    if (mustNotSkip || reason === 'failed') process.exitCode = 1;
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  }
}
