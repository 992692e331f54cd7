/** The word that was probably meant: the closest by edit distance, null when none is close or the question is unclear. */
export function nearestWord<Word extends string>(given: string, words: readonly Word[]): Word | null {
  const typed = given.toLowerCase().slice(0, 64);
  // One slip in three letters is a slip; more is another word.
  const tolerance = Math.max(1, Math.floor(typed.length / 3));
  let nearest: { readonly word: Word; readonly distance: number } | null = null;
  for (const word of words) {
    const distance = editDistance(typed, word.toLowerCase());
    if (distance <= tolerance && (nearest === null || distance < nearest.distance)) nearest = { word, distance };
  }
  return nearest?.word ?? null;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(costs: readonly number[], column: number): number {
  return costs[column] ?? Infinity;
}
