import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toCommitId, type CommitId } from '../../src/domain/ids.ts';
import type { TrustedPath } from '../../src/domain/workspace.ts';
import type { GitRepository, Remote } from '../../src/git/git-repository.ts';
import { importLocalRepository } from '../../src/git/import-local-repository.ts';
import { openGitRepository } from '../../src/git/open-git-repository.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';
import { commitFiles, plainGit, seedRepository, writeFiles } from '../support/seed-repository.ts';

const TOKEN = 'ghs_secret-of-this-test';
const signal = new AbortController().signal;
const identity = { name: 'refactor-bot', email: 'bot@example.test' };

let root: string;
let server: GitHttpServer;
let origin: string;
let base: CommitId;
let git: GitRepository;

const trusted = (name: string) => path.join(root, name) as TrustedPath;
const remote = (changes: Partial<Remote> = {}): Remote => ({
  url: `http://${server.host}/origin.git`,
  host: server.host,
  protocol: 'http',
  token: TOKEN,
  ...changes,
});

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'git-repository-'));
  const work = path.join(root, 'work');
  seedRepository(work, { 'src/a.ts': 'export const a = 1;\n', 'naïve file.txt': 'x\n', 'bin/run': '#!/bin/sh\n' });
  chmodSync(path.join(work, 'bin/run'), 0o755);
  symlinkSync('src/a.ts', path.join(work, 'link'));
  base = toCommitId(commitFiles(work, { 'src/a.ts': 'export const a = 2;\n' }, 'Change a'));
  origin = path.join(root, 'remotes/origin.git');
  plainGit(root, 'clone', '--quiet', '--bare', work, origin);
  plainGit(root, 'init', '--quiet', '--bare', path.join(root, 'remotes/empty.git'));
  server = await startGitHttpServer(path.join(root, 'remotes'), TOKEN);
  git = await openGitRepository(trusted('run.git'));
  expect(await git.fetchBranch(remote(), 'main', signal)).toBe(base);
});

afterAll(async () => {
  await server?.close();
  rmSync(root, { recursive: true, force: true });
});

/** A commit on top of `parent` that gives `src/a.ts` this value. */
async function commitValue(parent: CommitId, value: number): Promise<CommitId> {
  const tree = await git.treeOf(parent);
  const old = new TextDecoder().decode((await git.readBlobs([await blobOf(parent)])).values().next().value);
  const applied = await git.apply(tree, hunk(old, `export const a = ${value};\n`));
  if (!('tree' in applied)) throw new Error(applied.problem);
  return git.commit({
    tree: applied.tree,
    parent,
    message: `a is ${value}\n`,
    identity,
    date: new Date(1_700_000_100_000),
  });
}

async function blobOf(commit: CommitId): Promise<string> {
  const entries = await git.listTree(await git.treeOf(commit));
  return entries.find((entry) => entry.path === 'src/a.ts')!.oid;
}

function hunk(before: string, after: string): string {
  return `diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-${before}+${after}`;
}

describe('reading', () => {
  it('lists a tree with modes, sizes and names as they are', async () => {
    const entries = await git.listTree(await git.treeOf(base));
    expect(entries.map(({ path: name, mode, size }) => [name, mode, size])).toEqual([
      ['bin/run', '100755', 10],
      ['link', '120000', 8],
      ['naïve file.txt', '100644', 2],
      ['src/a.ts', '100644', 20],
    ]);
  });

  it('reads blobs as bytes and refuses ids that are missing or none', async () => {
    const entries = await git.listTree(await git.treeOf(base));
    const oids = entries.map((entry) => entry.oid);
    const blobs = await git.readBlobs([...oids, ...oids]);
    expect([...blobs.values()].map((bytes) => new TextDecoder().decode(bytes))).toEqual([
      '#!/bin/sh\n',
      'src/a.ts',
      'x\n',
      'export const a = 2;\n',
    ]);
    await expect(git.readBlobs(['0'.repeat(40)])).rejects.toMatchObject({ code: 'invariant-broken' });
    await expect(git.readBlobs([`${oids[0]}\n${oids[1]}`])).rejects.toMatchObject({ code: 'invariant-broken' });
    expect((await git.readBlobs([])).size).toBe(0);
  });

  it('knows commits, their trees, and how often a path changed in the year before', async () => {
    expect(await git.hasCommit(base)).toBe(true);
    expect(await git.hasCommit(toCommitId('0'.repeat(40)))).toBe(false);
    expect(await git.churn(base)).toEqual({ 'bin/run': 2, link: 1, 'naïve file.txt': 1, 'src/a.ts': 2 });
  });

  it('fills an empty directory, and only an empty one', async () => {
    const into = trusted('checkout');
    mkdirSync(into);
    await git.checkout(await git.treeOf(base), into);
    expect(readFileSync(path.join(into, 'src/a.ts'), 'utf8')).toBe('export const a = 2;\n');
    expect(readdirSync(into).sort()).toEqual(['bin', 'link', 'naïve file.txt', 'src']);
    await expect(git.checkout(await git.treeOf(base), into)).rejects.toMatchObject({ code: 'invariant-broken' });
  });
});

describe('changing', () => {
  it('applies a diff to a tree, gives the same tree each time, and leaves nothing behind', async () => {
    const tree = await git.treeOf(base);
    const text = hunk('export const a = 2;\n', 'export const a = 3;\n');
    const first = await git.apply(tree, text);
    expect(await git.apply(tree, text)).toEqual(first);
    expect(readdirSync(git.gitDir).filter((name) => name.startsWith('index'))).toEqual([]);
    expect(await git.apply(tree, '')).toEqual({ tree });
    if (!('tree' in first)) throw new Error(first.problem);
    const { text: said, stat } = await git.diff(tree, first.tree);
    expect(stat).toEqual({ files: 1, added: 1, removed: 1 });
    expect(await git.apply(tree, said)).toEqual(first);
  });

  it.each([
    ['another pre-image', hunk('export const a = 9;\n', 'export const a = 3;\n'), /does not apply/],
    ['a path out of the tree', newFile('../../x'), /invalid path/],
    ['git itself', newFile('.git/config'), /invalid path/],
    ['git by a name of another file system', newFile('git~1/config'), /invalid path/],
    ['no diff at all', 'hello\n', /No valid patches/],
  ])('answers why a diff does not apply: %s', async (_what, text, words) => {
    expect(await git.apply(await git.treeOf(base), text)).toEqual({ problem: expect.stringMatching(words) });
  });

  it('makes the same commit from the same input, and reads it back', async () => {
    const first = await commitValue(base, 3);
    expect(await commitValue(base, 3)).toBe(first);
    const second = await commitValue(first, 4);
    expect((await git.listCommits({ base, head: second })).map(({ commit, message }) => [commit, message])).toEqual([
      [first, 'a is 3\n'],
      [second, 'a is 4\n'],
    ]);
    expect(plainGit(git.gitDir, 'show', '-s', '--format=%an %ae %at %cn %ct', first).trim()).toBe(
      'refactor-bot bot@example.test 1700000100 refactor-bot 1700000100',
    );
  });

  it('bundles all refs, and has nothing to bundle in an empty repository', async () => {
    const file = trusted('backup.bundle');
    expect(await git.bundle(file)).toBe(readFileSync(file).length);
    expect(plainGit(root, 'bundle', 'list-heads', file)).toContain(`${base} refs/heads/main`);
    const empty = await openGitRepository(trusted('nothing.git'));
    await expect(empty.bundle(trusted('nothing.bundle'))).rejects.toMatchObject({ code: 'repository-empty' });
  });
});

describe('pushing', () => {
  it('creates, advances, repeats and rebuilds a branch, each time only from the expected commit', async () => {
    const [first, second] = [await commitValue(base, 10), await commitValue(base, 11)];
    const next = await commitValue(first, 12);
    const push = (commit: CommitId, expected: CommitId | null) =>
      git.push(remote(), { branch: 'refactor-bot/x', commit, expected }, signal);
    const head = () => plainGit(origin, 'rev-parse', 'refactor-bot/x').trim();
    await push(first, null);
    await expect(push(second, null)).rejects.toMatchObject({ code: 'push-raced', category: 'transient' });
    expect(head()).toBe(first);
    await push(next, first);
    await push(next, first);
    expect(head()).toBe(next);
    await expect(push(second, first)).rejects.toMatchObject({ code: 'push-raced' });
    await push(second, next);
    expect(head()).toBe(second);
    expect(plainGit(git.gitDir, 'rev-parse', 'refs/heads/refactor-bot/x').trim()).toBe(second);
  });

  it('tells a refusal of the host from a race', async () => {
    const hook = path.join(origin, 'hooks/pre-receive');
    writeFiles(origin, { 'hooks/pre-receive': '#!/bin/sh\necho protected branch >&2\nexit 1\n' });
    chmodSync(hook, 0o755);
    const commit = await commitValue(base, 20);
    await expect(git.push(remote(), { branch: 'refused', commit, expected: null }, signal)).rejects.toMatchObject({
      code: 'permission-missing',
    });
    rmSync(hook);
  });
});

describe('the remote', () => {
  it('answers null for a branch that is not there, and says so when there is none at all', async () => {
    expect(await git.fetchBranch(remote(), 'gone', signal)).toBeNull();
    const empty = remote({ url: `http://${server.host}/empty.git` });
    await expect(git.fetchBranch(empty, 'main', signal)).rejects.toMatchObject({ code: 'repository-empty' });
  });

  it.each([
    [401, 'credentials-rejected'],
    [403, 'credentials-rejected'],
    [404, 'permission-missing'],
    [429, 'rate-limited'],
    [502, 'host-unavailable'],
  ])('maps an answer %i to %s', async (status, code) => {
    server.answerNext({ status });
    await expect(git.fetchBranch(remote(), 'main', signal)).rejects.toMatchObject({ code });
  });

  it('does not follow a redirection with the token', async () => {
    const elsewhere = await startGitHttpServer(path.join(root, 'remotes'), null);
    const location = `http://${elsewhere.host}/origin.git/info/refs?service=git-upload-pack`;
    server.answerNext({ status: 302, headers: { location } });
    await expect(git.fetchBranch(remote(), 'main', signal)).rejects.toMatchObject({ code: 'foreign-host' });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it('rejects a wrong or missing token, and never repeats one', async () => {
    for (const token of ['wrong-token-value', null]) {
      const error = await git.fetchBranch(remote({ token }), 'main', signal).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'credentials-rejected', category: 'operator' });
      const shown = JSON.stringify([
        String(error),
        (error as { details: unknown }).details,
        String((error as Error).cause),
      ]);
      expect(shown).not.toContain('wrong-token-value');
      expect(shown).not.toContain(Buffer.from('x-access-token:wrong-token-value').toString('base64'));
    }
  });

  it('reports a host that is not there', async () => {
    const host = '127.0.0.1:1';
    const nowhere = remote({ url: `http://${host}/origin.git`, host });
    await expect(git.fetchBranch(nowhere, 'main', signal)).rejects.toMatchObject({ code: 'host-unavailable' });
  });

  it.each([
    ['another host', 'http://127.0.0.1:9/origin.git'],
    ['another protocol', 'https://HOST/origin.git'],
    ['a password', 'http://user:pass@HOST/origin.git'],
    ['a user', 'http://user@HOST/origin.git'],
    ['a query', 'http://HOST/origin.git?x'],
    ['a file', 'file:///etc'],
    ['a program', 'ext::sh -c touch% /tmp/x'],
    ['ssh', 'ssh://HOST/origin.git'],
    ['scp', 'git@HOST:origin.git'],
    ['a path', '/etc'],
    ['an option', '--upload-pack=touch /tmp/x'],
  ])('refuses %s before git is started', async (_what, url) => {
    const before = server.requests.length;
    const foreign = remote({ url: url.replace('HOST', server.host) });
    await expect(git.fetchBranch(foreign, 'main', signal)).rejects.toMatchObject({ code: 'foreign-host' });
    expect(server.requests.length).toBe(before);
  });

  it('allows plain http on this machine only', async () => {
    const plain = remote({ url: 'http://github.example/x.git', host: 'github.example' });
    await expect(git.fetchBranch(plain, 'main', signal)).rejects.toMatchObject({ code: 'foreign-host' });
  });

  it.each(['a:b', '../x', 'a..b', 'a b', 'x.lock', '', 'a\nb', '-x:refs/heads/main'])(
    'refuses %j as a branch',
    async (branch) => {
      await expect(git.fetchBranch(remote(), branch, signal)).rejects.toMatchObject({ code: 'invariant-broken' });
    },
  );

  it('stops when it is told to', async () => {
    await expect(git.fetchBranch(remote(), 'main', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('opening', () => {
  it('keeps what is there, and refuses a directory that is no bare repository', async () => {
    const again = await openGitRepository(git.gitDir);
    expect(await again.hasCommit(base)).toBe(true);
    mkdirSync(path.join(root, 'other'));
    writeFiles(path.join(root, 'other'), { file: 'x' });
    await expect(openGitRepository(trusted('other'))).rejects.toMatchObject({ code: 'invariant-broken' });
  });

  it('puts no hook or template into it', () => {
    expect(existsSync(path.join(git.gitDir, 'hooks'))).toBe(false);
  });

  it('says that git is missing or too old, and which was found', async () => {
    const surroundings = { searchPath: path.join(root, 'no-programs') };
    await expect(openGitRepository(trusted('x.git'), surroundings)).rejects.toMatchObject({ code: 'binary-missing' });
    writeFiles(root, { 'old-programs/git': '#!/bin/sh\necho git version 2.30.1\n' });
    chmodSync(path.join(root, 'old-programs/git'), 0o755);
    const old = openGitRepository(trusted('y.git'), { searchPath: path.join(root, 'old-programs') });
    await expect(old).rejects.toMatchObject({ code: 'binary-missing', message: expect.stringContaining('2.30.1') });
  });
});

describe('a folder of the person at the terminal', () => {
  it('brings in branches and tags, and tells the branch that is checked out', async () => {
    const folder = path.join(root, 'mine');
    const head = seedRepository(folder, { 'a.txt': 'a\n' });
    plainGit(folder, 'tag', 'v1');
    const mine = await openGitRepository(trusted('mine.git'));
    expect(await importLocalRepository(folder, mine.gitDir)).toEqual({ branch: 'main', head });
    expect(plainGit(mine.gitDir, 'for-each-ref', '--format=%(refname)').trim().split('\n')).toEqual([
      'refs/heads/main',
      'refs/tags/v1',
    ]);
  });

  it('explains a folder that is missing or no repository', async () => {
    const mine = await openGitRepository(trusted('none.git'));
    for (const folder of [path.join(root, 'absent'), path.join(root, 'old-programs')]) {
      await expect(importLocalRepository(folder, mine.gitDir)).rejects.toMatchObject({ code: 'path-not-a-repository' });
    }
  });
});

function newFile(name: string): string {
  return `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;
}
