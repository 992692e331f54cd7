/** `lines` keep their first character (space, `+`, `-`, `\`) and a carriage return at their end. Counts are those of `lines`. */
export interface DiffHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

export interface ParsedHunk {
  readonly hunk: DiffHunk;
  /** False when the header promised other counts. */
  readonly countsHold: boolean;
  /** The first line behind the hunk. */
  readonly next: number;
}

const HUNK_HEADER = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** The hunk whose header is `lines[at]`; null when that is no hunk header. */
export function parseHunk(lines: readonly string[], at: number): ParsedHunk | null {
  const header = HUNK_HEADER.exec(lines[at] ?? '');
  if (header === null) return null;
  const [, oldStart = '', oldCount = '1', newStart = '', newCount = '1'] = header;
  const body = readBody(lines, at + 1, { old: Number(oldCount), new: Number(newCount) });
  return {
    hunk: {
      oldStart: Number(oldStart),
      oldLines: body.old,
      newStart: Number(newStart),
      newLines: body.new,
      lines: body.lines,
    },
    countsHold: body.old === Number(oldCount) && body.new === Number(newCount),
    next: body.next,
  };
}

/**
 * The counts decide where a hunk ends: a removed line `-- a/x` looks like the header of a file. Only where they are wrong does
 * the look of the next line decide, as `git apply --recount` does it.
 */
function readBody(lines: readonly string[], from: number, promised: { old: number; new: number }) {
  const body: string[] = [];
  const seen = { old: 0, new: 0 };
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const within = seen.old < promised.old || seen.new < promised.new;
    if (!continuesHunk(line, within)) break;
    // A mail program may have cut the space of an empty context line.
    if (line === '' && !within) break;
    body.push(line === '' ? ' ' : line);
    if (line[0] === '+') seen.new++;
    else if (line[0] === '-') seen.old++;
    else if (line[0] !== '\\') {
      seen.old++;
      seen.new++;
    }
  }
  return { lines: body, old: seen.old, new: seen.new, next: at };
}

function continuesHunk(line: string, within: boolean): boolean {
  if (line.startsWith('\\ ')) return true;
  if (!within && (line.startsWith('--- ') || line.startsWith('+++ '))) return false;
  return line === '' || line[0] === ' ' || line[0] === '+' || line[0] === '-';
}
