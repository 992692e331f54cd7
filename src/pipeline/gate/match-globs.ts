import picomatch from 'picomatch';

/** Whether one of the globs covers the path, dot files included. A glob that is the path itself always does (`app/[id].ts`). */
export function matchGlobs(globs: readonly string[], path: string, options: { ignoreCase?: boolean } = {}): boolean {
  if (globs.includes(path)) return true;
  if (globs.length === 0) return false;
  return picomatch([...globs], { dot: true, nonegate: true, nocase: options.ignoreCase ?? false })(path);
}
