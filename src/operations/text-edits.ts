/** Replaces `[start, end)` of a text (UTF-16 offsets). An insertion has `start === end`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Builds the new text in one ascending pass, insertions before a deletion at the same place. (Applying edits from the end with a
 * plain descending sort corrupts the text as soon as two of them start at the same offset.) Throws when two edits overlap.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ascending = [...edits].sort((left, right) => left.start - right.start || left.end - right.end);
  let result = '';
  let position = 0;
  for (const edit of ascending) {
    if (edit.start < position || edit.end < edit.start) {
      throw new Error(`Edits overlap at offset ${edit.start}: this is a bug of the operation.`);
    }
    result += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + text.slice(position);
}
