import { afterEach, beforeEach, expect, it } from 'vitest';

import { lines, startTestGithub } from './test-github.ts';
import type { TestGithub } from './test-github.ts';

const repo = { owner: 'acme', repo: 'widgets' };
let test: TestGithub;

beforeEach(async () => {
  test = await startTestGithub();
});
afterEach(async () => {
  const violations = test.violations();
  await test.fsck('acme/widgets');
  await test.close();
  expect(violations).toEqual([]);
});

async function trunkSha(): Promise<string> {
  return (await test.as('maya').rest.git.getRef({ ...repo, ref: 'heads/trunk' })).data.object.sha;
}

it('builds a commit from blobs and trees, and puts a branch on it', async () => {
  const bot = await test.bot('acme');
  const base = await trunkSha();
  const { data: blob } = await bot.rest.git.createBlob({
    ...repo,
    content: Buffer.from([0, 255, 10]).toString('base64'),
    encoding: 'base64',
  });
  const { data: tree } = await bot.rest.git.createTree({
    ...repo,
    base_tree: base,
    tree: [
      { path: 'bin/tool', mode: '100755', type: 'blob', sha: blob.sha },
      { path: 'src/deep/new.txt', mode: '100644', type: 'blob', content: 'new\n' },
      { path: 'README.md', mode: '100644', type: 'blob', sha: null },
    ],
  });
  const { data: commit } = await bot.rest.git.createCommit({
    ...repo,
    message: 'Build',
    tree: tree.sha,
    parents: [base],
  });
  expect(commit.author).toMatchObject({ name: 'refactor-bot[bot]' });
  await bot.rest.git.createRef({ ...repo, ref: 'refs/heads/built', sha: commit.sha });
  const { data: whole } = await bot.rest.git.getTree({ ...repo, tree_sha: 'built', recursive: 'true' });
  expect(whole.tree.filter(({ type }) => type === 'blob').map(({ path, mode }) => [path, mode])).toEqual([
    ['bin/tool', '100755'],
    ['src/deep/new.txt', '100644'],
    ['src/lines.txt', '100644'],
  ]);
  const { data: read } = await bot.rest.git.getBlob({ ...repo, file_sha: blob.sha });
  expect([...Buffer.from(read.content, 'base64')]).toEqual([0, 255, 10]);
  expect((await bot.rest.git.getCommit({ ...repo, commit_sha: commit.sha })).data.parents).toMatchObject([
    { sha: base },
  ]);
  const { data: shown } = await bot.rest.repos.getCommit({ ...repo, ref: 'built' });
  expect(shown.author).toMatchObject({ type: 'Bot' });
  expect(shown.files?.map(({ filename, status }) => [filename, status])).toEqual([
    ['README.md', 'removed'],
    ['bin/tool', 'added'],
    ['src/deep/new.txt', 'added'],
  ]);
});

it('moves refs forward only, unless forced, and finds them by prefix', async () => {
  const bot = await test.bot('acme');
  const base = await trunkSha();
  await bot.rest.git.createRef({ ...repo, ref: 'refs/heads/bot/one', sha: base });
  await bot.rest.git.createRef({ ...repo, ref: 'refs/heads/bot/two', sha: base });
  const { data: found } = await bot.rest.git.listMatchingRefs({ ...repo, ref: 'heads/bot/' });
  expect(found.map(({ ref }) => ref)).toEqual(['refs/heads/bot/one', 'refs/heads/bot/two']);
  const { data: tree } = await bot.rest.git.getTree({ ...repo, tree_sha: base });
  const { data: orphan } = await bot.rest.git.createCommit({ ...repo, message: 'Orphan', tree: tree.sha, parents: [] });
  const move = { ...repo, ref: 'heads/bot/one', sha: orphan.sha };
  await expect(bot.rest.git.updateRef(move)).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('fast forward'),
  });
  await bot.rest.git.updateRef({ ...move, force: true });
  await bot.rest.git.deleteRef({ ...repo, ref: 'heads/bot/two' });
  await expect(bot.rest.git.deleteRef({ ...repo, ref: 'heads/bot/two' })).rejects.toMatchObject({ status: 422 });
  await expect(bot.rest.git.createRef({ ...repo, ref: 'refs/heads/bot/one', sha: base })).rejects.toMatchObject({
    status: 422,
  });
  await expect(bot.rest.git.createRef({ ...repo, ref: 'refs/heads/x', sha: '1'.repeat(40) })).rejects.toMatchObject({
    status: 422,
  });
  await expect(bot.rest.git.getRef({ ...repo, ref: 'heads/bot' })).rejects.toMatchObject({ status: 404 });
  expect(await test.events()).toEqual(['create', 'push', 'create', 'push', 'push', 'delete', 'push']);
});

it('reads files and folders, and writes files against the blob they have', async () => {
  const bot = await test.bot('acme');
  const { data: folder } = await bot.rest.repos.getContent({ ...repo, path: 'src' });
  expect(Array.isArray(folder) && folder.map(({ name, type }) => [name, type])).toEqual([['lines.txt', 'file']]);
  const { data: raw } = await bot.rest.repos.getContent({
    ...repo,
    path: 'src/lines.txt',
    mediaType: { format: 'raw' },
  });
  expect(raw).toBe(lines());
  const write = { ...repo, path: 'src/lines.txt', message: 'Empty', content: '' };
  await expect(bot.rest.repos.createOrUpdateFileContents(write)).rejects.toMatchObject({ status: 422 });
  await expect(bot.rest.repos.createOrUpdateFileContents({ ...write, sha: '1'.repeat(40) })).rejects.toMatchObject({
    status: 409,
  });
  const { data: file } = await bot.rest.repos.getContent({ ...repo, path: 'src/lines.txt' });
  const sha = 'sha' in file ? file.sha : '';
  const { status } = await bot.rest.repos.createOrUpdateFileContents({ ...write, sha });
  expect(status).toBe(200);
  await expect(bot.rest.repos.getContent({ ...repo, path: 'nowhere' })).rejects.toMatchObject({ status: 404 });
  expect(await bot.config.get({ ...repo, path: '.github/refactor-bot.yml' })).toMatchObject({ config: {} });
});

it('compares branches from where they parted', async () => {
  const bot = await test.bot('acme');
  const base = await trunkSha();
  await bot.rest.git.createRef({ ...repo, ref: 'refs/heads/topic/a', sha: base });
  const put = async (branch: string, path: string) =>
    bot.rest.repos.createOrUpdateFileContents({
      ...repo,
      branch,
      path,
      message: path,
      content: Buffer.from(path).toString('base64'),
    });
  await put('topic/a', 'one.txt');
  await put('topic/a', 'two.txt');
  await put('trunk', 'three.txt');
  const { data } = await bot.rest.repos.compareCommitsWithBasehead({ ...repo, basehead: 'trunk...topic/a' });
  expect(data).toMatchObject({ status: 'diverged', ahead_by: 2, behind_by: 1, merge_base_commit: { sha: base } });
  expect(data.commits.map(({ commit }) => commit.message)).toEqual(['one.txt', 'two.txt']);
  expect(data.files?.map(({ filename, status }) => [filename, status])).toEqual([
    ['one.txt', 'added'],
    ['two.txt', 'added'],
  ]);
  const { data: commits } = await bot.rest.repos.listCommits({ ...repo, sha: 'topic/a', per_page: 1 });
  expect(commits.map(({ commit }) => commit.message)).toEqual(['two.txt']);
  const { data: branches } = await bot.rest.repos.listBranches(repo);
  expect(branches.map(({ name }) => name)).toEqual(['topic/a', 'trunk']);
  expect((await bot.rest.repos.getBranch({ ...repo, branch: 'topic/a' })).data.commit.parents).toHaveLength(1);
});

it('answers what clients ask before they begin', async () => {
  const maya = test.as('maya');
  await maya.rest.meta.get();
  await maya.rest.rateLimit.get();
  await maya.rest.users.getAuthenticated();
  await maya.rest.repos.listLanguages(repo);
  expect((await maya.rest.users.getByUsername({ username: 'refactor-bot[bot]' })).data.type).toBe('Bot');
  await expect(maya.request('GET /repos/{owner}/{repo}', { owner: 'acme', repo: 'none' })).rejects.toMatchObject({
    status: 404,
  });
});
