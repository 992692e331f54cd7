import type { Rejection } from '../../domain/patch.ts';
import { isTestFile, readTestEvidence, type TestEvidence } from './test-evidence.ts';
import type { Evidence, GateCheck } from './evidence.ts';

/**
 * Tests are what shows that behaviour is kept, so a refactoring must leave what they promise: every case, every assertion, none
 * skipped. Judged over all touched test files together, so that moving a case from one to another is fine; renamed things, other
 * imports and paths change nothing that is compared. A batch that adds tests may add marks of its own, and takes none away either.
 */
export const checkTests: GateCheck = (evidence) => {
  const tests = evidence.paths.filter(isTestFile);
  if (tests.length === 0) return [];
  const before = combine(tests.map((path) => evidence.before.get(path)));
  const after = combine(tests.map((path) => evidence.after.get(path)));
  const added = evidence.batch.operations.includes('add-tests') ? [] : missing(after.skips, before.skips);
  return [
    ...deletedTests(evidence),
    ...report(
      missing(before.cases, after.cases),
      (name) => `The test case "${name}" is gone or has another name. Keep it.`,
    ),
    ...report(
      missing(before.assertions, after.assertions),
      (shape) => `An assertion is gone or changed: ${shape}. Keep what the tests expect.`,
    ),
    ...report(added, (mark) => `"${mark}" keeps tests from running. Take it out.`),
  ];
};

/** Test data counts as well: a deleted file must stand, as it was, under another path. */
function deletedTests({ files, before }: Evidence): readonly Omit<Rejection, 'rule'>[] {
  const kept = new Set(files.map((file) => file.newBlob));
  return files
    .filter((file) => file.newPath === null && file.oldPath !== null && isTestFile(file.oldPath))
    .filter(
      (file) => !kept.has(file.oldBlob) && readTestEvidence(before.get(file.oldPath ?? '') ?? '').cases.length === 0,
    )
    .map((file) => ({ path: file.oldPath, message: 'A file of the tests is deleted. Keep it, or move it unchanged.' }));
}

function combine(texts: readonly (string | undefined)[]): TestEvidence {
  const all = texts.map((text) => readTestEvidence(text ?? ''));
  return {
    cases: all.flatMap((each) => each.cases),
    assertions: all.flatMap((each) => each.assertions),
    skips: all.flatMap((each) => each.skips),
  };
}

/** What `wanted` holds more often than `there`. */
function missing(wanted: readonly string[], there: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const entry of there) left.set(entry, (left.get(entry) ?? 0) + 1);
  return wanted.filter((entry) => {
    const count = left.get(entry) ?? 0;
    left.set(entry, count - 1);
    return count <= 0;
  });
}

function report(found: readonly string[], words: (entry: string) => string): readonly Omit<Rejection, 'rule'>[] {
  return found.slice(0, 10).map((entry) => ({ path: null, message: words(entry.slice(0, 120)) }));
}
