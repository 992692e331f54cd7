import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { gitText, runGit } from './run-git.ts';

export interface TreeChange {
  readonly path: string;
  /** Six octal digits. */
  readonly mode: string;
  /** Null removes the path. */
  readonly sha: string | null;
}

/** Writes the tree `base` (null: the empty one) with these changes, and the trees below it. */
export async function writeTree(
  directory: string,
  base: string | null,
  changes: readonly TreeChange[],
): Promise<string> {
  const indexFile = path.join(directory, `index-${randomUUID()}`);
  const env = { GIT_INDEX_FILE: indexFile };
  try {
    await runGit(directory, base === null ? ['read-tree', '--empty'] : ['read-tree', base], { env });
    for (const change of changes.filter((candidate) => isTree(candidate))) {
      await runGit(directory, ['rm', '--cached', '-r', '-q', '--ignore-unmatch', '--', change.path], { env });
      if (change.sha !== null) await runGit(directory, ['read-tree', `--prefix=${change.path}/`, change.sha], { env });
    }
    const records = changes.filter((candidate) => !isTree(candidate)).map(indexRecord);
    await runGit(directory, ['update-index', '-z', '--index-info'], { env, input: records.join('') });
    return await gitText(directory, ['write-tree'], { env });
  } finally {
    await rm(indexFile, { force: true });
  }
}

function isTree({ mode }: TreeChange): boolean {
  return mode === '040000';
}

function indexRecord({ path: name, mode, sha }: TreeChange): string {
  return sha === null ? `0 ${'0'.repeat(40)}\t${name}\0` : `${mode} ${sha}\t${name}\0`;
}
