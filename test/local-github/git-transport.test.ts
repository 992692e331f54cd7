import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startTestGithub } from './test-github.ts';
import type { TestGithub } from './test-github.ts';

let test: TestGithub;
let cloneUrl: string;

beforeEach(async () => {
  test = await startTestGithub();
  cloneUrl = `${test.github.url}/acme/widgets.git`;
});
afterEach(async () => test.close());

async function clone(token: string, name = 'clone'): Promise<string> {
  await test.git(['clone', '-q', cloneUrl, name], { token });
  return path.join(test.workDir, name);
}

async function commitFile(cwd: string, file: string, content: string): Promise<string> {
  await mkdir(path.dirname(path.join(cwd, file)), { recursive: true });
  await writeFile(path.join(cwd, file), content);
  await test.git(['add', '.'], { cwd });
  await test.git(['commit', '-q', '-m', `Write ${file}`], { cwd });
  return test.git(['rev-parse', 'HEAD'], { cwd });
}

describe('cloning', () => {
  it('gives the files to an installation token, over protocol 2, shallow or full', async () => {
    const token = await test.botToken('acme');
    const folder = await clone(token);
    expect(await readFile(path.join(folder, 'README.md'), 'utf8')).toBe('# Widgets\n');
    const advertised = await fetch(`${cloneUrl}/info/refs?service=git-upload-pack`, {
      headers: { 'git-protocol': 'version=2' },
    });
    expect(await advertised.text()).toContain('version 2');
    await commitFile(folder, 'more.txt', 'more');
    await test.git(['push', '-q', 'origin', 'trunk'], { cwd: folder, token });
    await test.git(['clone', '-q', '--depth=1', cloneUrl, 'shallow'], { token });
    expect(await test.git(['rev-list', '--count', 'HEAD'], { cwd: path.join(test.workDir, 'shallow') })).toBe('1');
  });

  it('needs no credentials on a public repository and some on a private one', async () => {
    await test.git(['clone', '-q', cloneUrl, 'anonymous']);
    await test.github.createRepository({ owner: 'acme', name: 'secret', private: true });
    const secret = cloneUrl.replace('widgets', 'secret');
    await expect(test.git(['clone', '-q', secret, 'no'])).rejects.toThrow(/could not read Username/);
    await expect(test.git(['clone', '-q', secret, 'no'], { token: test.github.userToken('rob') })).rejects.toThrow(
      /not found/,
    );
    await test.git(['clone', '-q', secret, 'yes'], { token: await test.botToken('acme') });
  });

  it('refuses a token that nobody issued', async () => {
    await expect(clone('ghs_invented')).rejects.toThrow(/Authentication failed|could not read/);
  });
});

it('reads requests that the client compressed, as git does with long ones', async () => {
  const answer = await fetch(`${cloneUrl}/git-upload-pack`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-upload-pack-request',
      'content-encoding': 'gzip',
      'git-protocol': 'version=2',
    },
    body: gzipSync('0014command=ls-refs\n0000'),
  });
  expect(await answer.text()).toContain('refs/heads/trunk');
});

describe('pushing', () => {
  it('is refused without credentials, to a reader, and to a token that may only read', async () => {
    const folder = await clone(await test.botToken('acme'));
    await commitFile(folder, 'a.txt', 'a');
    const push = async (token?: string) =>
      test.git(['push', '-q', 'origin', 'HEAD:refs/heads/topic'], {
        cwd: folder,
        ...(token !== undefined && { token }),
      });
    await expect(push()).rejects.toThrow(/could not read Username/);
    await expect(push(test.github.userToken('rob'))).rejects.toThrow(/403/);
    await expect(push(await test.botToken('acme', { permissions: { contents: 'read' } }))).rejects.toThrow(/403/);
    await test.github.createRepository({ owner: 'acme', name: 'other' });
    await expect(push(await test.botToken('acme', { repositories: ['other'] }))).rejects.toThrow(/403/);
    await push(await test.botToken('acme'));
    await test.fsck('acme/widgets');
  });

  it('says what each ref did, with create and delete, and who pushed', async () => {
    const token = await test.botToken('acme');
    const folder = await clone(token);
    const sha = await commitFile(folder, 'src/a.txt', 'a');
    await test.git(['tag', 'v1'], { cwd: folder });
    await test.git(['push', '-q', 'origin', 'HEAD:refs/heads/topic', 'v1'], { cwd: folder, token });
    await test.git(['push', '-q', 'origin', ':topic'], { cwd: folder, token });
    expect(await test.events()).toEqual(['create', 'push', 'create', 'push', 'delete', 'push']);
    const [created, pushed] = test.received.map(({ payload }) => payload);
    expect(created).toMatchObject({ ref: 'topic', ref_type: 'branch', master_branch: 'trunk' });
    expect(pushed).toMatchObject({
      ref: 'refs/heads/topic',
      after: sha,
      created: true,
      forced: false,
      sender: { login: 'refactor-bot[bot]', type: 'Bot' },
      commits: [{ id: sha, added: ['src/a.txt'], modified: [], removed: [] }],
    });
    expect(test.violations()).toEqual([]);
  });

  it('tells a forced push from a forward one', async () => {
    const token = test.github.userToken('maya');
    const folder = await clone(token);
    await commitFile(folder, 'a.txt', 'a');
    await test.git(['push', '-q', 'origin', 'trunk'], { cwd: folder, token });
    await test.git(['commit', '-q', '--amend', '-m', 'Other'], { cwd: folder });
    await test.git(['push', '-q', '--force', 'origin', 'trunk'], { cwd: folder, token });
    await test.github.idle();
    expect(test.received.map(({ payload }) => payload['forced'])).toEqual([false, true]);
  });

  it('takes large packs, which git sends in chunks', async () => {
    const token = await test.botToken('acme');
    const folder = await clone(token);
    const content = Array.from({ length: 200_000 }, (_, index) => `${index * 7919}\n`).join('');
    await commitFile(folder, 'large.txt', content);
    await test.git(['-c', 'http.postBuffer=65536', 'push', '-q', 'origin', 'trunk'], { cwd: folder, token });
    const again = await clone(token, 'again');
    expect(await readFile(path.join(again, 'large.txt'), 'utf8')).toBe(content);
    await test.fsck('acme/widgets');
  });

  it('does not let anybody push to the refs of pull requests', async () => {
    const token = await test.botToken('acme');
    const folder = await clone(token);
    const push = test.git(['push', '-q', 'origin', 'HEAD:refs/pull/1/head'], { cwd: folder, token });
    await expect(push).rejects.toThrow(/hidden ref/);
  });
});

it('imports every branch and tag of a repository on disk, without events', async () => {
  const source = path.join(test.workDir, 'first');
  await test.git(['branch', 'older'], { cwd: source });
  await test.git(['tag', '-a', 'v1', '-m', 'One'], { cwd: source });
  const imported = await test.github.createRepository({ owner: 'maya', name: 'copy', importFrom: source });
  const refs = await test.git(['ls-remote', imported.cloneUrl]);
  expect(refs.split('\n').map((line) => line.split('\t')[1])).toEqual([
    'HEAD',
    'refs/heads/older',
    'refs/heads/trunk',
    'refs/tags/v1',
    'refs/tags/v1^{}',
  ]);
  expect(await test.events()).toEqual(['installation.created']);
});
