import type { DiffFile } from '../../git/parse-diff.ts';
import { findRanges, type LineRange, type SourceRanges } from './source-ranges.ts';
import type { Batch } from '../../domain/plan.ts';
import type { Evidence, GateCheck } from './evidence.ts';

/**
 * Where a batch names symbols of a file, only these may change there: their own lines with the comment above, imports and exports
 * by name, and new statements between the others (an extracted function). A finding about the whole file, or a symbol that the
 * parser does not find, frees the file. Files that no finding and no recipe names are a matter of scope alone.
 */
export const checkSymbols: GateCheck = (evidence) =>
  [...namedSymbols(evidence.batch)].flatMap(([path, symbols]) => {
    const file = evidence.files.find((each) => each.oldPath === path && each.newPath === path);
    const message = file === undefined ? null : findStray(evidence, file, symbols);
    return message === null ? [] : [{ path, message }];
  });

/** Paths with the symbols that may change there. */
function namedSymbols({ findings, recipe }: Batch): ReadonlyMap<string, ReadonlySet<string>> {
  const named = new Map<string, Set<string>>();
  const wholeFile = new Set<string>();
  for (const { path, rule, symbols } of findings) {
    // The symbols of a cycle are its other members, not names in the file.
    if (symbols.length === 0 || rule === 'import-cycle') wholeFile.add(path);
    else named.set(path, new Set([...(named.get(path) ?? []), ...symbols]));
  }
  for (const path of wholeFile) named.delete(path);
  const names = Object.values(recipe?.inputs ?? {}).flatMap((value) => (Array.isArray(value) ? value : []) as string[]);
  if (names.length > 0) {
    for (const path of recipe?.files ?? []) named.set(path, new Set([...(named.get(path) ?? []), ...names]));
  }
  return named;
}

function findStray({ before }: Evidence, file: DiffFile, symbols: ReadonlySet<string>): string | null {
  const path = file.oldPath ?? '';
  const text = before.get(path);
  const ranges = text === undefined ? null : findRanges(path, text);
  if (ranges === null || text === undefined) return null;
  const known = new Set([...ranges.named.map((range) => range.name), ...ranges.linked]);
  if ([...symbols].some((symbol) => !known.has(lastName(symbol)))) return null;
  const wanted = new Set([...symbols].map(lastName));
  const allowed = [...ranges.links, ...ranges.named.filter((range) => wanted.has(range.name))];
  const stray = changedPlaces(file, text.split('\n')).find((place) => !isAllowed(place, allowed, ranges));
  return stray === undefined
    ? null
    : `Line ${stray.line} is outside of what the batch names (${[...symbols].join(', ').slice(0, 200)}). Change only that.`;
}

/** `Parser.parse`, `Parser#parse`: the declaration bears the last part. */
function lastName(symbol: string): string {
  return symbol.split(/[.#]/).at(-1) ?? symbol;
}

/** A removed line, or a place before `line` where lines are put in. Counted from 1, in the old text. */
interface ChangedPlace {
  readonly line: number;
  readonly kind: 'removed' | 'inserted';
}

function changedPlaces(file: DiffFile, old: readonly string[]): readonly ChangedPlace[] {
  return file.hunks.flatMap((hunk) => {
    // A hunk that only adds names the line before it.
    let line = hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart;
    return hunk.lines.flatMap((text): ChangedPlace[] => {
      if (text[0] === '+') return text.slice(1).trim() === '' ? [] : [{ line, kind: 'inserted' }];
      if (text[0] === '\\') return [];
      const here = line++;
      return text[0] === '-' && (old[here - 1] ?? '').trim() !== '' ? [{ line: here, kind: 'removed' }] : [];
    });
  });
}

function isAllowed({ line, kind }: ChangedPlace, allowed: readonly LineRange[], { statements }: SourceRanges): boolean {
  if (kind === 'removed') return allowed.some((range) => range.start <= line && line <= range.end);
  // Directly before or behind a statement is between statements.
  if (allowed.some((range) => range.start <= line && line <= range.end + 1)) return true;
  return !statements.some((range) => range.start < line && line <= range.end);
}
