import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

/** A checkout on disk. Repository paths are relative to `root`, with `/`. */
export interface SourceTree {
  readonly root: string;
  /** Every source file in reading order of the paths; dependencies and build output left out. */
  readonly sourceFiles: readonly string[];
  read(path: string): string | null;
  absolute(path: string): string;
  /** Null for a file that is not of the repository: outside the root, or an installed package. */
  repositoryPath(absolutePath: string): string | null;
  isExecutable(path: string): boolean;
  exists(path: string): boolean;
  isLink(path: string): boolean;
}

const SOURCE_FILE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** Never written by hand. Dot folders are skipped too. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor']);

export function openSourceTree(root: string): SourceTree {
  const texts = new Map<string, string | null>();
  const absolute = (path: string) => join(root, path);
  return {
    root,
    sourceFiles: listSourceFiles(root, ''),
    absolute,
    read(path) {
      let text = texts.get(path);
      if (text === undefined) texts.set(path, (text = readText(absolute(path))));
      return text;
    },
    repositoryPath(absolutePath) {
      const path = relative(root, absolutePath).split(sep).join(posix.sep);
      return path.startsWith('../') || path.includes('node_modules/') || posix.isAbsolute(path) ? null : path;
    },
    isExecutable: (path) => (statSync(absolute(path)).mode & 0o111) !== 0,
    exists: (path) => statSync(absolute(path), { throwIfNoEntry: false }) !== undefined,
    isLink: (path) => lstatSync(absolute(path), { throwIfNoEntry: false })?.isSymbolicLink() === true,
  };
}

/** Symbolic links are not followed: they are neither files nor folders to `readdir`. */
function listSourceFiles(root: string, folder: string): string[] {
  const found: string[] = [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED_FOLDERS.has(entry.name)) {
      found.push(...listSourceFiles(root, path));
    } else if (entry.isFile() && SOURCE_FILE.test(entry.name)) {
      found.push(path);
    }
  }
  return found;
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
