import type { TestCase } from '../../domain/verdict.ts';

type Outcomes = ReadonlyMap<string, TestCase['outcome']>;

/**
 * Ids that vanished because their file was moved or renamed: the whole file is gone, and a file that was not there before runs
 * a test of the same suites and name. Ids carry the file's path, so without this a move would look like deleted tests.
 */
export function movedTests(was: Outcomes, is: Outcomes): ReadonlySet<string> {
  const filesBefore = new Set([...was.keys()].map(fileOf));
  const filesNow = new Set([...is.keys()].map(fileOf));
  const arrivals = new Map<string, number>();
  for (const [id, outcome] of is) {
    if (filesBefore.has(fileOf(id)) || outcome === 'skipped') continue;
    arrivals.set(withoutFile(id), (arrivals.get(withoutFile(id)) ?? 0) + 1);
  }
  const moved = new Set<string>();
  for (const id of was.keys()) {
    const left = arrivals.get(withoutFile(id)) ?? 0;
    if (filesNow.has(fileOf(id)) || left === 0) continue;
    arrivals.set(withoutFile(id), left - 1);
    moved.add(id);
  }
  return moved;
}

function fileOf(id: string): string {
  return id.split(' > ', 1)[0] ?? '';
}

function withoutFile(id: string): string {
  return id.slice(fileOf(id).length);
}
