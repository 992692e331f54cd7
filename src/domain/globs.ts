/**
 * A glob that matches exactly this path. A backslash is written as a class: picomatch 4 never comes back from some globs that end in
 * escaped ones.
 */
export function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@|^$]/g, (special) => (special === '\\' ? '[\\\\]' : `\\${special}`));
}
