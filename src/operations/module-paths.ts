import { posix } from 'node:path';
import type { SourceTree } from './source-tree.ts';

/**
 * Whether a module specifier, written in the file `from`, may mean the module at `path`. By its text alone, as the file may lie
 * outside every project; where that is not enough (an alias, the package's own name) the answer is yes, which is the safe side.
 */
export function sameModule(
  tree: SourceTree,
  written: { readonly from: string; readonly specifier: string },
  path: string,
): boolean {
  const { from, specifier } = written;
  if (specifier.startsWith('.')) {
    const named = stem(posix.join(posix.dirname(from), specifier));
    return named === stem(path) || `${named}/index` === stem(path);
  }
  const parts = specifier.split('/');
  const packageName = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
  if (isInstalled(tree, from, packageName)) return false;
  const alias = stem(parts.slice(1).join('/'));
  const isOwnName = parts.length === (specifier.startsWith('@') ? 2 : 1);
  return isOwnName || alias === '' || `/${stem(path)}`.endsWith(`/${alias}`) || `/${stem(path)}`.includes(`/${alias}/`);
}

/** A workspace package is installed as a link: it is the repository's own. */
function isInstalled(tree: SourceTree, from: string, packageName: string): boolean {
  for (let folder = posix.dirname(from); ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, 'node_modules', packageName);
    if (tree.exists(path)) return !tree.isLink(path);
    if (folder === '.') return false;
  }
}

function stem(path: string): string {
  return path.replace(/(?:\.d)?\.(?:[cm]?[jt]s|[jt]sx)$/, '');
}
