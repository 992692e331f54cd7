import type { RunOptions } from '../../domain/options.ts';
import { escapeGlob } from '../../domain/globs.ts';

/**
 * Narrows the scope to the folders and files of the tree that the words of a request name (`only packages/api`, `src/render.ts`).
 * The request is data from a person: words that name nothing in the tree change nothing, and it can only narrow.
 */
export function narrowToRequest(options: RunOptions, request: string, paths: readonly string[]): RunOptions {
  const named = pathsNamed(request, paths);
  return named.length === 0 ? options : { ...options, scopeIncludes: named };
}

function pathsNamed(request: string, paths: readonly string[]): string[] {
  const files = new Set(paths);
  const folders = new Set(paths.flatMap(foldersOf));
  const globs = new Set<string>();
  for (const word of request.slice(0, 4000).split(/[\s"'`<>(),;]+/)) {
    const candidate = word
      .replace(/^\.?\//, '')
      .replace(/[/.:!?]+$/, '')
      .replace(/\/\*{1,2}$/, '');
    // A bare word such as "test" is a goal more often than a folder: a path has a slash or an extension, or is written as `src/`.
    if (!/[/.]/.test(word) || candidate === '') continue;
    if (files.has(candidate)) globs.add(escapeGlob(candidate));
    else if (folders.has(candidate)) globs.add(`${escapeGlob(candidate)}/**`);
  }
  return [...globs].toSorted();
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
