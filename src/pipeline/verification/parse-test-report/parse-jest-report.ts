import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { TestCase } from '../../../domain/verdict.ts';
import type { RawReport, TestReport } from './test-report.ts';
import { fileInTree, joinId, MAX_TESTS, type NamedTest, toTestCases } from './test-ids.ts';

/** jest's `--json`, which vitest writes too. Whatever else is in it is not read. */
const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().nullish(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

type FileResult = z.infer<typeof reportSchema>['testResults'][number];

export function parseJestReport(raw: RawReport): TestReport | null {
  const files = readFiles(raw.text);
  if (files === null) return null;
  const tests = files.flatMap((file) =>
    file.assertionResults.map((test): NamedTest => ({
      file: file.name,
      path: [...test.ancestorTitles, test.title],
      outcome: outcomeOf(test.status),
    })),
  );
  if (tests.length > MAX_TESTS) return null;
  const suiteErrors = files.flatMap((file) => {
    const problem = problemOutsideTests(file);
    return problem === null ? [] : [`${joinId([fileInTree(file.name, raw.roots)])}: ${problem}`];
  });
  const unhandled = /^\s*Vitest caught \d+ unhandled errors?/m.test(stripVTControlCharacters(raw.output))
    ? ['unhandled errors']
    : [];
  return { tests: toTestCases(tests, raw.roots), suiteErrors: [...new Set([...suiteErrors, ...unhandled])] };
}

function readFiles(text: string): readonly FileResult[] | null {
  try {
    return reportSchema.parse(JSON.parse(text)).testResults;
  } catch {
    return null;
  }
}

/** `disabled`, `pending`, `skipped`, `todo`: words for tests that did not run. */
function outcomeOf(status: string): TestCase['outcome'] {
  if (status === 'passed' || status === 'failed') return status;
  return 'skipped';
}

/** A file fails without a failing test when it does not load, or when a hook throws. */
function problemOutsideTests(file: FileResult): string | null {
  if (file.status !== 'failed') return null;
  if (file.assertionResults.length === 0) return 'does not load';
  // jest says so in words when a file has failing tests besides; vitest does not say it at all then.
  const saidByJest = file.message?.includes('Test suite failed to run') ?? false;
  const hasFailedTest = file.assertionResults.some((test) => test.status === 'failed');
  return saidByJest || !hasFailedTest ? 'fails outside of its tests' : null;
}
