import { createHash } from 'node:crypto';

/** One file of a diff. `before` is null for a file that is created. Texts are whole and UTF-8. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
  readonly executable: boolean;
}

const CONTEXT_LINES = 3;
const NO_NEWLINE = '\\ No newline at end of file\n';

/** A diff as git writes it with `--full-index`. Files that did not change are left out. */
export function unifiedDiff(changes: readonly FileChange[]): string {
  return [...changes]
    .filter((change) => change.before !== change.after)
    .sort((left, right) => (left.path < right.path ? -1 : 1))
    .map((change) => fileDiff(change))
    .join('');
}

/** Added plus removed lines of a diff made here. */
export function changedLines(diff: string): number {
  return diff
    .split('\n')
    .filter((line) => /^[+-]/.test(line) && !/^(?:\+\+\+ |--- )(?:"?[ab]\/|\/dev\/null)/.test(line)).length;
}

function fileDiff(change: FileChange): string {
  const mode = change.executable ? '100755' : '100644';
  const before = change.before ?? '';
  const ids = `${change.before === null ? '0'.repeat(40) : blobId(before)}..${blobId(change.after)}`;
  const head = change.before === null ? `new file mode ${mode}\nindex ${ids}\n` : `index ${ids} ${mode}\n`;
  const body = hunks(splitLines(before), splitLines(change.after));
  const names = `diff --git ${quoted('a', change.path)} ${quoted('b', change.path)}\n`;
  if (body === '') return names + head;
  const from = change.before === null ? '/dev/null' : named('a', change.path);
  return `${names}${head}--- ${from}\n+++ ${named('b', change.path)}\n${body}`;
}

function blobId(text: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest('hex');
}

/** Git ends a name that holds a space with a tab, so that a reader knows where it stops. */
function named(prefix: string, path: string): string {
  return quoted(prefix, path) + (path.includes(' ') ? '\t' : '');
}

/** Quoted like a C string where a name holds a quote, a backslash, or bytes outside of printable ASCII. */
function quoted(prefix: string, path: string): string {
  const name = `${prefix}/${path}`;
  if (/^[ !#-[\]-~]*$/.test(name)) return name;
  const bytes = [...Buffer.from(name)].map((byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte);
  });
  return `"${bytes.join('')}"`;
}

/** Lines with their line ends; only the last may have none. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

interface DiffLine {
  readonly mark: ' ' | '+' | '-';
  readonly text: string;
}

function hunks(before: readonly string[], after: readonly string[]): string {
  const lines = diffLines(before, after);
  const changed = lines.flatMap((line, index) => (line.mark === ' ' ? [] : [index]));
  const ranges: { start: number; end: number }[] = [];
  for (const index of changed) {
    const last = ranges.at(-1);
    const start = Math.max(0, index - CONTEXT_LINES);
    const end = Math.min(lines.length, index + CONTEXT_LINES + 1);
    if (last !== undefined && start <= last.end) last.end = end;
    else ranges.push({ start, end });
  }
  return ranges.map((range) => renderHunk(lines, range)).join('');
}

function renderHunk(lines: readonly DiffLine[], range: { start: number; end: number }): string {
  const count = (part: readonly DiffLine[], other: DiffLine['mark']) =>
    part.filter((line) => line.mark !== other).length;
  const earlier = lines.slice(0, range.start);
  const part = lines.slice(range.start, range.end);
  const side = (other: DiffLine['mark']) => {
    const length = count(part, other);
    // An empty range is named by the line before it.
    return `${count(earlier, other) + (length === 0 ? 0 : 1)}${length === 1 ? '' : `,${length}`}`;
  };
  const body = part.map(({ mark, text }) => mark + text + (text.endsWith('\n') ? '' : `\n${NO_NEWLINE}`));
  return `@@ -${side('+')} +${side('-')} @@\n${body.join('')}`;
}

/** Common head and tail are taken off first: what remains of a mechanical change is short. */
function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const keep = (text: string): DiffLine => ({ mark: ' ', text });
  return [
    ...before.slice(0, head).map(keep),
    ...shortestEdit(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(keep),
  ];
}

/** Myers' greedy algorithm, with the furthest points of every round kept for the way back. */
function shortestEdit(before: readonly string[], after: readonly string[]): DiffLine[] {
  const furthest = new Map<number, number>([[1, 0]]);
  const rounds: Map<number, number>[] = [];
  for (let distance = 0; distance <= before.length + after.length; distance += 1) {
    rounds.push(new Map(furthest));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      let x = isDown(furthest, diagonal, distance) ? at(furthest, diagonal + 1) : at(furthest, diagonal - 1) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return wayBack(rounds, before, after);
    }
  }
  return [];
}

function wayBack(
  rounds: readonly Map<number, number>[],
  before: readonly string[],
  after: readonly string[],
): DiffLine[] {
  const lines: DiffLine[] = [];
  let x = before.length;
  let y = after.length;
  for (const [distance, furthest] of [...rounds.entries()].toReversed()) {
    const diagonal = x - y;
    const isInsertion = isDown(furthest, diagonal, distance);
    const previousDiagonal = isInsertion ? diagonal + 1 : diagonal - 1;
    const previousX = distance === 0 ? 0 : at(furthest, previousDiagonal);
    const previousY = distance === 0 ? 0 : previousX - previousDiagonal;
    while (x > previousX && y > previousY) {
      x -= 1;
      y -= 1;
      lines.push({ mark: ' ', text: before[x] ?? '' });
    }
    if (distance > 0 && isInsertion) lines.push({ mark: '+', text: after[previousY] ?? '' });
    if (distance > 0 && !isInsertion) lines.push({ mark: '-', text: before[previousX] ?? '' });
    x = previousX;
    y = previousY;
  }
  return lines.toReversed();
}

function isDown(furthest: ReadonlyMap<number, number>, diagonal: number, distance: number): boolean {
  if (diagonal === -distance) return true;
  return diagonal !== distance && at(furthest, diagonal - 1) < at(furthest, diagonal + 1);
}

function at(furthest: ReadonlyMap<number, number>, diagonal: number): number {
  return furthest.get(diagonal) ?? 0;
}
