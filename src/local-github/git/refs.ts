import { gitLines, gitText, runGit } from './run-git.ts';

export interface Ref {
  /** Full name, such as `refs/heads/main`. */
  readonly name: string;
  readonly sha: string;
  readonly type: string;
}

export interface RefChange {
  readonly name: string;
  /** `zeroSha` for a ref that did not exist. */
  readonly before: string;
  /** `zeroSha` for a ref that is gone. */
  readonly after: string;
}

export const zeroSha = '0'.repeat(40);

/** Branches and tags, or those below `prefix`. The refs of pull requests are not among them, as they are not in a clone. */
export async function listRefs(
  directory: string,
  prefixes: readonly string[] = ['refs/heads', 'refs/tags'],
): Promise<Ref[]> {
  const lines = await gitLines(directory, [
    'for-each-ref',
    '--format=%(objectname) %(objecttype) %(refname)',
    ...prefixes,
  ]);
  return lines.map((line) => {
    const [sha = '', type = '', ...name] = line.split(' ');
    return { name: name.join(' '), sha, type };
  });
}

/** Refs whose name begins with `prefix`, at any character, as `git/matching-refs` wants. */
export async function matchingRefs(directory: string, prefix: string): Promise<Ref[]> {
  const refs = await listRefs(directory);
  return refs.filter((ref) => ref.name.startsWith(prefix));
}

export async function readRef(directory: string, name: string): Promise<Ref | null> {
  const refs = await listRefs(directory, [name]);
  // for-each-ref also lists what is below a name.
  return refs.find((ref) => ref.name === name) ?? null;
}

export async function branchSha(directory: string, branch: string): Promise<string | null> {
  const ref = await readRef(directory, `refs/heads/${branch}`);
  return ref?.sha ?? null;
}

export function compareRefs(before: readonly Ref[], after: readonly Ref[]): RefChange[] {
  const old = new Map(before.map((ref) => [ref.name, ref.sha]));
  const current = new Map(after.map((ref) => [ref.name, ref.sha]));
  const names = [...new Set([...old.keys(), ...current.keys()])].sort();
  return names
    .map((name) => ({ name, before: old.get(name) ?? zeroSha, after: current.get(name) ?? zeroSha }))
    .filter((change) => change.before !== change.after);
}

/** Moves, makes (`before` zero) or deletes (`after` zero) a ref; false when it is not at `before` any more. */
export async function writeRef(directory: string, { name, before, after }: RefChange): Promise<boolean> {
  const command = after === zeroSha ? `delete ${name}\0${before}\0` : `update ${name}\0${after}\0${before}\0`;
  const { code } = await runGit(directory, ['update-ref', '-z', '--stdin'], { input: command, answers: [1, 128] });
  return code === 0;
}

export async function isValidRefName(directory: string, name: string): Promise<boolean> {
  const { code } = await runGit(directory, ['check-ref-format', name], { answers: [1] });
  return code === 0;
}

/** The commit that a branch, tag, full ref or (abbreviated) object id names; null when there is none. */
export async function resolveCommit(directory: string, name: string): Promise<string | null> {
  for (const candidate of [`refs/heads/${name}`, `refs/tags/${name}`, name]) {
    const { code, stdout } = await runGit(
      directory,
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${candidate}^{commit}`],
      { answers: [1, 128] },
    );
    if (code === 0) return stdout.toString('utf8').trim();
  }
  return null;
}

export async function isAncestor(directory: string, ancestor: string, descendant: string): Promise<boolean> {
  const { code } = await runGit(directory, ['merge-base', '--is-ancestor', ancestor, descendant], { answers: [1] });
  return code === 0;
}

export async function mergeBase(directory: string, one: string, other: string): Promise<string | null> {
  const { code, stdout } = await runGit(directory, ['merge-base', one, other], { answers: [1] });
  return code === 0 ? stdout.toString('utf8').trim() : null;
}

/** Commit ids reachable from `head` and not from `excluded`, newest first. */
export async function commitsBetween(directory: string, excluded: string | null, head: string): Promise<string[]> {
  return gitLines(directory, ['rev-list', '--topo-order', head, ...(excluded === null ? [] : [`^${excluded}`])]);
}

export async function countCommits(directory: string, excluded: string, head: string): Promise<number> {
  return Number(await gitText(directory, ['rev-list', '--count', head, `^${excluded}`]));
}
