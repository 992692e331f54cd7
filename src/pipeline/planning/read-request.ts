/**
 * Whether a path lies in what the words of a request name: folders and files of the tree (`only packages/api`, `src/render.ts`). The
 * request is data from a person: words that name nothing in the tree change nothing, and it can only narrow what a run may change.
 */
export function scopeOfRequest(request: string, paths: readonly string[]): (path: string) => boolean {
  const named = pathsNamed(request, paths);
  if (named.size === 0) return () => true;
  return (path) => named.has(path) || foldersOf(path).some((folder) => named.has(folder));
}

/** Long enough for every issue that a person writes. */
const MAX_CHARACTERS = 4000;

function pathsNamed(request: string, paths: readonly string[]): ReadonlySet<string> {
  const known = new Set(paths.flatMap((path) => [path, ...foldersOf(path)]));
  // A bare word such as "test" is a goal more often than a folder: a path has a slash or an extension, or is written as `src/`.
  const words = request
    .slice(0, MAX_CHARACTERS)
    .split(/[\s"'`<>(),;]+/)
    .filter((word) => /[/.]/.test(word));
  const named = words.map((word) =>
    word
      .replace(/^\.?\//, '')
      .replace(/[/.:!?]+$/, '')
      .replace(/\/\*{1,2}$/, ''),
  );
  return new Set(named.filter((path) => known.has(path)));
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
