import { sha256 } from '../../../domain/ids.ts';
import type { TestCase } from '../../../domain/verdict.ts';

/** More than the largest suites have; beyond it a report is not believed. */
export const MAX_TESTS = 200_000;
const MAX_ID_CHARACTERS = 600;

export interface NamedTest {
  /** As the runner says it: absolute, or a file URL. */
  readonly file: string;
  /** Suites, outermost first, then the test's own name. */
  readonly path: readonly string[];
  readonly outcome: TestCase['outcome'];
}

/** Ids in the order of the report; tests that share file, suites and name are told apart by `#2`, `#3`. */
export function toTestCases(tests: readonly NamedTest[], roots: readonly string[]): readonly TestCase[] {
  const seen = new Map<string, number>();
  return tests.map(({ file, path, outcome }) => {
    const id = joinId([fileInTree(file, roots), ...path]);
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return { id: count === 1 ? id : `${id} #${count}`, outcome };
  });
}

/** The path below the tree's root; a file outside of it keeps the name it was reported by. */
export function fileInTree(file: string, roots: readonly string[]): string {
  const path = file.replace(/^file:\/\//, '');
  const root = roots.find((candidate) => path.startsWith(`${candidate}/`));
  return root === undefined ? path : path.slice(root.length + 1);
}

export function joinId(parts: readonly string[]): string {
  const id = parts.map(oneLine).join(' > ');
  if (id.length <= MAX_ID_CHARACTERS) return id;
  return `${id.slice(0, MAX_ID_CHARACTERS).toWellFormed()}… ${sha256(id).slice(0, 8)}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
}
