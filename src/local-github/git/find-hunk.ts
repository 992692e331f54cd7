export interface DiffLine {
  /** `LEFT` counts lines of the old file, `RIGHT` those of the new one. */
  readonly side: 'LEFT' | 'RIGHT';
  readonly line: number;
}

/** The hunk of a file's patch up to and with a line, as review comments quote it; null when the line is not in the diff. */
export function findHunk(patch: string, { side, line }: DiffLine): string | null {
  let hunk: string[] = [];
  const next = { LEFT: 0, RIGHT: 0 };
  for (const text of patch.split('\n')) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (header) {
      hunk = [text];
      Object.assign(next, { LEFT: Number(header[1]), RIGHT: Number(header[2]) });
      continue;
    }
    hunk.push(text);
    const marker = text.charAt(0);
    if (marker === '\\') continue;
    const onSide = marker === ' ' || marker === (side === 'LEFT' ? '-' : '+');
    if (onSide && next[side] === line) return hunk.join('\n');
    if (marker !== '+') next.LEFT += 1;
    if (marker !== '-') next.RIGHT += 1;
  }
  return null;
}
