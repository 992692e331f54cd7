/** A glob that matches exactly this path. */
export function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@]/g, '\\$&');
}
