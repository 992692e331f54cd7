import { parseEventReport } from './parse-event-report.ts';
import { parseJestReport } from './parse-jest-report.ts';
import type { RawReport, TestReport } from './test-report.ts';

/** Null when the text is no whole report of that runner. */
export function parseTestReport(raw: RawReport): TestReport | null {
  switch (raw.runner) {
    case 'vitest':
    case 'jest':
      return parseJestReport(raw);
    case 'mocha':
    case 'node-test':
      return parseEventReport(raw);
  }
}
