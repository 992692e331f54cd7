import { z } from 'zod';
import type { RawReport, TestReport } from './test-report.ts';
import { fileInTree, joinId, MAX_TESTS, type NamedTest, toTestCases } from './test-ids.ts';

/** One line of what `test-reporters/` write: a test, a failure outside of tests, or the end. */
const eventSchema = z.union([
  z.object({
    file: z.string(),
    path: z.array(z.string()).min(1).max(100),
    outcome: z.enum(['passed', 'failed', 'skipped']),
  }),
  z.object({ file: z.string(), path: z.array(z.string()).max(100), problem: z.string() }),
  z.object({ end: z.literal(true) }),
]);

type ReportEvent = z.infer<typeof eventSchema>;

export function parseEventReport(raw: RawReport): TestReport | null {
  const events = readEvents(raw.text);
  if (events === null) return null;
  const tests: readonly NamedTest[] = events.filter((event) => 'outcome' in event);
  if (tests.length > MAX_TESTS) return null;
  const suiteErrors = events.flatMap((event) =>
    'problem' in event
      ? [`${joinId([fileInTree(event.file, raw.roots), ...event.path])}: ${joinId([event.problem])}`]
      : [],
  );
  return { tests: toTestCases(tests, raw.roots), suiteErrors: [...new Set(suiteErrors)] };
}

/** Null for a report that broke off: what is missing from it would look like tests that vanished. */
function readEvents(text: string): readonly ReportEvent[] | null {
  try {
    const lines = text.split('\n').filter((line) => line !== '');
    const events = lines.map((line) => eventSchema.parse(JSON.parse(line)));
    const last = events.at(-1);
    return last !== undefined && 'end' in last ? events : null;
  } catch {
    return null;
  }
}
