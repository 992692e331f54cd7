import { gitText, runGit } from './run-git.ts';

export interface FileDiff {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: 'added' | 'removed' | 'modified' | 'renamed' | 'changed';
  /** Blob in the new tree; in the old one for a removed file. */
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
  /** From the first `@@` on; null for a binary file or when only the name or mode changed. */
  readonly patch: string | null;
}

/** The tree that has nothing in it; git knows it without an object. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const diffCommand = ['diff-tree', '-r', '-M', '--full-index', '--no-ext-diff', '--no-textconv'];

/** What changed from tree-ish `before` to `after`, by file, renames followed. */
export async function diffFiles(directory: string, before: string, after: string): Promise<FileDiff[]> {
  const [summary, patches] = await Promise.all([
    runGit(directory, [...diffCommand, '--raw', '--numstat', '-z', before, after]),
    diffText(directory, before, after),
  ]);
  const sections = patches.split(/^(?=diff --git )/m).filter((section) => section.startsWith('diff --git '));
  return parseSummary(summary.stdout.toString('utf8')).map(({ letter, ...file }) => {
    const section = sections.shift() ?? '';
    // A changed type (a file that became a link) is printed as a removal and an addition.
    if (letter === 'T') sections.shift();
    const hunks = section.search(/^@@ /m);
    return { ...file, patch: hunks < 0 ? null : section.slice(hunks).replace(/\n$/, '') };
  });
}

export async function diffText(directory: string, before: string, after: string): Promise<string> {
  const { stdout } = await runGit(directory, [...diffCommand, '-p', before, after]);
  return stdout.toString('utf8');
}

/** The commits as `git am` takes them. */
export async function patchText(directory: string, before: string, after: string): Promise<string> {
  return gitText(directory, ['format-patch', '--stdout', `${before}..${after}`]);
}

type SummaryEntry = Omit<FileDiff, 'patch'> & { readonly letter: string };

/** Reads `--raw --numstat -z`: first all raw records, then the line counts in the same order. */
function parseSummary(output: string): SummaryEntry[] {
  const fields = output.split('\0');
  const entries: Omit<SummaryEntry, 'additions' | 'deletions'>[] = [];
  while (fields[0]?.startsWith(':')) {
    const [, , oldSha = '', newSha = '', status = ''] = (fields.shift() ?? '').split(' ');
    const letter = status.slice(0, 1);
    const first = fields.shift() ?? '';
    const renamed = letter === 'R' || letter === 'C';
    const path = renamed ? (fields.shift() ?? '') : first;
    entries.push({
      letter,
      path,
      previousPath: renamed ? first : null,
      status: statusOf(letter),
      sha: letter === 'D' ? oldSha : newSha,
    });
  }
  return entries.map((entry) => {
    const [additions = '', deletions = '', inlinePath = ''] = (fields.shift() ?? '').split('\t');
    // A rename has its two paths in fields of their own.
    if (inlinePath === '') fields.splice(0, 2);
    return { ...entry, additions: Number(additions) || 0, deletions: Number(deletions) || 0 };
  });
}

function statusOf(letter: string): FileDiff['status'] {
  switch (letter) {
    case 'A':
      return 'added';
    case 'D':
      return 'removed';
    case 'R':
      return 'renamed';
    case 'T':
      return 'changed';
    default:
      return 'modified';
  }
}
