import { mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { BotError } from '../domain/errors.ts';
import { toTreeId, type TreeId } from '../domain/ids.ts';
import type { DiffStat } from '../domain/patch.ts';
import type { TrustedPath } from '../domain/workspace.ts';
import { gitText, runGit, type GitPlace } from './run-git.ts';
import { lastWords } from './map-git-error.ts';
import { parseDiff } from './parse-diff.ts';
import type { TreeEntry } from './git-repository.ts';

export async function listTree(place: GitPlace, tree: TreeId): Promise<readonly TreeEntry[]> {
  const { stdout } = await runGit(place, { args: ['ls-tree', '-r', '-l', '-z', '--full-tree', tree] });
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '')
    .map(parseTreeEntry);
}

/** `100644 blob <oid>    1234\tsrc/a.ts`; the size is `-` for a submodule. */
function parseTreeEntry(line: string): TreeEntry {
  const tab = line.indexOf('\t');
  const [mode = '', , oid = '', size = '-'] = line.slice(0, tab).split(/ +/);
  return { path: line.slice(tab + 1), mode, oid, size: size === '-' ? null : Number(size) };
}

export async function readBlobs(place: GitPlace, oids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted = [...new Set(oids)];
  // A line break in an id would ask for an object of its own and shift all answers by one.
  const strange = wanted.find((oid) => !/^[0-9a-f]{40,64}$/.test(oid));
  if (strange !== undefined)
    throw new BotError('invariant-broken', 'A blob was asked for by something that is no object id.');
  if (wanted.length === 0) return new Map();
  const { stdout } = await runGit(place, { args: ['cat-file', '--batch'], input: `${wanted.join('\n')}\n` });
  return readBatch(stdout, wanted);
}

/** Per object: `<oid> blob <size>\n<bytes>\n`, or `<oid> missing\n`. */
function readBatch(answer: Buffer, wanted: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const blobs = new Map<string, Uint8Array>();
  let at = 0;
  for (const oid of wanted) {
    const end = answer.indexOf('\n', at);
    const [, type, size] = answer.toString('utf8', at, end).split(' ');
    if (type !== 'blob') throw new BotError('invariant-broken', `Blob ${oid} is not in the repository of the run.`);
    at = end + 1 + Number(size);
    blobs.set(oid, answer.subarray(end + 1, at));
    at += 1;
  }
  return blobs;
}

/**
 * Through an index of its own. Attributes of the tree can name filters, but no filter is configured, so none runs: files kept
 * in LFS stay pointers.
 */
export async function checkout(place: GitPlace, tree: TreeId, into: TrustedPath): Promise<void> {
  if ((await readdir(into)).length > 0) {
    throw new BotError('invariant-broken', 'A checkout was asked for into a directory that is not empty.');
  }
  await withIndex(place, async (index) => {
    const env = { ...index, GIT_WORK_TREE: into };
    await runGit(place, { args: ['read-tree', tree], env });
    await runGit(place, { args: ['checkout-index', '--all', '--quiet'], env });
  });
}

/** All or nothing, to an index alone. Counts are taken anew; context is never reduced and never ignored. */
export async function apply(
  place: GitPlace,
  tree: TreeId,
  diff: string,
): Promise<{ readonly tree: TreeId } | { readonly problem: string }> {
  if (diff.trim() === '') return { tree };
  return withIndex(place, async (env) => {
    await runGit(place, { args: ['read-tree', tree], env });
    const { code, stderr } = await runGit(place, {
      args: ['apply', '--cached', '--recount', '--whitespace=nowarn', '-'],
      input: diff,
      env,
      answers: [1, 128],
    });
    if (code !== 0) return { problem: lastWords(stderr) };
    return { tree: toTreeId(await gitText(place, { args: ['write-tree'], env })) };
  });
}

export async function diff(
  place: GitPlace,
  from: TreeId,
  to: TreeId,
): Promise<{ readonly text: string; readonly stat: DiffStat }> {
  const { stdout } = await runGit(place, {
    args: [
      'diff-tree',
      '-r',
      '-p',
      '--binary',
      '--full-index',
      '--no-renames',
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      '--ignore-submodules=none',
      '--src-prefix=a/',
      '--dst-prefix=b/',
      from,
      to,
    ],
  });
  const text = stdout.toString('utf8');
  const { files } = parseDiff(text);
  const sum = (count: (file: (typeof files)[number]) => number) =>
    files.reduce((total, file) => total + count(file), 0);
  return {
    text,
    stat: { files: files.length, added: sum((file) => file.added), removed: sum((file) => file.removed) },
  };
}

async function withIndex<Answer>(
  place: GitPlace,
  use: (env: Readonly<Record<string, string>>) => Promise<Answer>,
): Promise<Answer> {
  const directory = await mkdtemp(path.join(place.gitDir, 'index-'));
  try {
    return await use({ GIT_INDEX_FILE: path.join(directory, 'index') });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
