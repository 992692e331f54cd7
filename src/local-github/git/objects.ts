import { runGit, gitText } from './run-git.ts';
import type { GitResult } from './run-git.ts';

export interface GitObject {
  readonly sha: string;
  readonly type: 'blob' | 'tree' | 'commit' | 'tag';
  readonly content: Buffer;
}

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly date: Date;
  /** Such as `+0200`; a rebase keeps the author's. UTC when left out. */
  readonly zone?: string;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
}

export interface TreeEntry {
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly sha: string;
  /** Null for a tree or a submodule. */
  readonly size: number | null;
  readonly path: string;
}

/** Objects by name, null where there is none; one git process for all. */
export async function readObjects(directory: string, names: readonly string[]): Promise<(GitObject | null)[]> {
  if (names.length === 0) return [];
  const { stdout } = await runGit(directory, ['cat-file', '--batch'], { input: `${names.join('\n')}\n` });
  const objects: (GitObject | null)[] = [];
  let offset = 0;
  while (offset < stdout.length) {
    const lineEnd = stdout.indexOf(0x0a, offset);
    const [sha = '', type = '', size = ''] = stdout.toString('utf8', offset, lineEnd).split(' ');
    offset = lineEnd + 1;
    if (!isObjectType(type)) {
      objects.push(null);
      continue;
    }
    const end = offset + Number(size);
    objects.push({ sha, type, content: stdout.subarray(offset, end) });
    offset = end + 1;
  }
  return objects;
}

export async function readObject(directory: string, name: string): Promise<GitObject | null> {
  // A line break would ask for a second object; no object's name has one.
  if (/[\n\r]/.test(name)) return null;
  const [object] = await readObjects(directory, [name]);
  return object ?? null;
}

export async function readCommits(directory: string, shas: readonly string[]): Promise<Commit[]> {
  const objects = await readObjects(directory, shas);
  return objects.flatMap((object) => (object?.type === 'commit' ? [parseCommit(object)] : []));
}

export async function readCommit(directory: string, sha: string): Promise<Commit | null> {
  const object = await readObject(directory, sha);
  return object?.type === 'commit' ? parseCommit(object) : null;
}

export async function readTree(directory: string, name: string, recursive = false): Promise<TreeEntry[] | null> {
  const flags = recursive ? ['-r', '-t'] : [];
  const { code, stdout } = await runGit(directory, ['ls-tree', '-z', '-l', ...flags, name], { answers: [128] });
  return code === 0 ? stdout.toString('utf8').split('\0').filter(Boolean).map(parseTreeEntry) : null;
}

export async function writeBlob(directory: string, content: Buffer): Promise<string> {
  return trimmed(await runGit(directory, ['hash-object', '-w', '--stdin'], { input: content }));
}

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: Person;
  readonly committer: Person;
}

export async function writeCommit(directory: string, commit: NewCommit): Promise<string> {
  const parents = commit.parents.flatMap((parent) => ['-p', parent]);
  const env = { ...identity('AUTHOR', commit.author), ...identity('COMMITTER', commit.committer) };
  return trimmed(
    await runGit(directory, ['commit-tree', commit.tree, ...parents, '-F', '-'], { input: commit.message, env }),
  );
}

export async function treeOf(directory: string, commit: string): Promise<string> {
  return gitText(directory, ['rev-parse', '--verify', `${commit}^{tree}`]);
}

function identity(role: 'AUTHOR' | 'COMMITTER', person: Person): Record<string, string> {
  // The @ tells git that even a small number is one of seconds.
  const date = `@${Math.floor(person.date.getTime() / 1000)} ${person.zone ?? '+0000'}`;
  return { [`GIT_${role}_NAME`]: person.name, [`GIT_${role}_EMAIL`]: person.email, [`GIT_${role}_DATE`]: date };
}

function trimmed({ stdout }: GitResult): string {
  return stdout.toString('utf8').trim();
}

function isObjectType(type: string): type is GitObject['type'] {
  return type === 'blob' || type === 'tree' || type === 'commit' || type === 'tag';
}

function parseCommit({ sha, content }: GitObject): Commit {
  const text = content.toString('utf8');
  const headersEnd = text.indexOf('\n\n');
  const headers = text.slice(0, headersEnd).split('\n');
  const values = (key: string) =>
    headers.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
  return {
    sha,
    tree: values('tree')[0] ?? '',
    parents: values('parent'),
    author: parsePerson(values('author')[0] ?? ''),
    committer: parsePerson(values('committer')[0] ?? ''),
    message: text.slice(headersEnd + 2).replace(/\n+$/, ''),
  };
}

function parsePerson(line: string): Person {
  const [, name = '', email = '', seconds = '0', zone = '+0000'] =
    /^(.*?) ?<(.*)> (-?\d+) ([+-]\d{4})/.exec(line) ?? [];
  return { name, email, date: new Date(Number(seconds) * 1000), zone };
}

function parseTreeEntry(record: string): TreeEntry {
  const [, mode = '', type = '', sha = '', size = '', path = ''] =
    /^(\d+) (\w+) (\w+) +(\S+)\t(.*)$/s.exec(record) ?? [];
  return {
    mode,
    type: type === 'tree' || type === 'commit' ? type : 'blob',
    sha,
    size: size === '-' ? null : Number(size),
    path,
  };
}
