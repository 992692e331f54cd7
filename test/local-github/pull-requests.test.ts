import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { lines, startTestGithub } from './test-github.ts';
import type { TestGithub } from './test-github.ts';

const repo = { owner: 'acme', repo: 'widgets' };
let test: TestGithub;
let folder: string;
let token: string;

beforeEach(async () => {
  test = await startTestGithub();
  folder = path.join(test.workDir, 'first');
  token = test.github.userToken('maya');
  await test.git(['remote', 'add', 'origin', `${test.github.url}/acme/widgets.git`], { cwd: folder });
});
afterEach(async () => {
  const violations = test.violations();
  await test.fsck('acme/widgets');
  await test.close();
  expect(violations).toEqual([]);
});

interface Change {
  readonly branch: string;
  readonly replaced: Record<number, string>;
  readonly message?: string;
}

/** Commits other lines on a branch, made from `trunk` when new, and pushes it. */
async function push({ branch, replaced, message = 'Change lines' }: Change): Promise<string> {
  const known = await test.git(['branch', '--list', branch], { cwd: folder });
  await test.git(['checkout', '-q', ...(known === '' ? ['-b', branch, 'trunk'] : [branch])], { cwd: folder });
  await writeFile(path.join(folder, 'src/lines.txt'), lines(replaced));
  await test.git(['commit', '-q', '-a', '-m', message], { cwd: folder });
  await test.git(['push', '-q', 'origin', branch], { cwd: folder, token });
  return test.git(['rev-parse', 'HEAD'], { cwd: folder });
}

async function openPull(head: string, body = ''): Promise<number> {
  const bot = await test.bot('acme');
  const { data } = await bot.rest.pulls.create({ ...repo, title: `From ${head}`, head, base: 'trunk', body });
  return data.number;
}

async function fileOnTrunk(): Promise<string> {
  await test.git(['fetch', '-q', 'origin', 'trunk'], { cwd: folder });
  return `${await test.git(['show', 'FETCH_HEAD:src/lines.txt'], { cwd: folder })}\n`;
}

it('shows commits, files, patch and numbers of a pull request', async () => {
  const head = await push({ branch: 'topic', replaced: { 5: 'five' } });
  const pull_number = await openPull('topic');
  const maya = test.as('maya');
  const { data: pull } = await maya.rest.pulls.get({ ...repo, pull_number });
  expect(pull).toMatchObject({
    commits: 1,
    additions: 1,
    deletions: 1,
    changed_files: 1,
    head: { sha: head },
    user: { type: 'Bot' },
  });
  const { data: files } = await maya.rest.pulls.listFiles({ ...repo, pull_number });
  expect(files).toMatchObject([{ filename: 'src/lines.txt', status: 'modified' }]);
  expect(files[0]?.patch).toMatch(/^@@ -2,7 \+2,7 @@.*\n line 2\n[^]*-line 5\n\+five\n/);
  const { data: diff } = await maya.rest.pulls.get({ ...repo, pull_number, mediaType: { format: 'diff' } });
  expect(diff).toContain('diff --git a/src/lines.txt b/src/lines.txt');
  const { data: commits } = await maya.rest.pulls.listCommits({ ...repo, pull_number });
  expect(commits.map(({ sha }) => sha)).toEqual([head]);
});

it('knows only at the second question whether a pull request can be merged, and again after each change', async () => {
  await push({ branch: 'topic', replaced: { 5: 'five' } });
  const pull_number = await openPull('topic');
  const ask = async () => (await test.as('maya').rest.pulls.get({ ...repo, pull_number })).data;
  expect(await ask()).toMatchObject({ mergeable: null, mergeable_state: 'unknown' });
  expect(await ask()).toMatchObject({ mergeable: true, mergeable_state: 'clean' });
  await push({ branch: 'trunk', replaced: { 5: 'FIVE' } });
  expect(await ask()).toMatchObject({ mergeable: null });
  expect(await ask()).toMatchObject({ mergeable: false, mergeable_state: 'dirty' });
  const merge = test.as('maya').rest.pulls.merge({ ...repo, pull_number });
  await expect(merge).rejects.toMatchObject({ status: 405, message: expect.stringContaining('not mergeable') });
});

describe.each(['merge', 'squash', 'rebase'] as const)('merging by %s', (merge_method) => {
  it('joins both sides, closes the pull request and the issue it fixes', async () => {
    const maya = test.as('maya');
    const { data: issue } = await maya.rest.issues.create({ ...repo, title: 'Lines are dull' });
    await push({ branch: 'topic', replaced: { 2: 'two' }, message: 'Change line 2' });
    await push({ branch: 'topic', replaced: { 2: 'two', 3: 'three' }, message: 'Change line 3' });
    const pull_number = await openPull('topic', `Fixes #${issue.number}`);
    await push({ branch: 'trunk', replaced: { 18: 'eighteen' } });
    await test.github.idle();
    test.received.length = 0;
    const { data: merged } = await maya.rest.pulls.merge({ ...repo, pull_number, merge_method });
    expect(await fileOnTrunk()).toBe(lines({ 2: 'two', 3: 'three', 18: 'eighteen' }));
    expect(await test.git(['rev-parse', 'FETCH_HEAD'], { cwd: folder })).toBe(merged.sha);
    const subjects = await test.git(['log', '--first-parent', '--format=%s', '-3', 'FETCH_HEAD'], { cwd: folder });
    expect(subjects.split('\n')).toEqual(
      {
        merge: [`Merge pull request #${pull_number} from acme/topic`, 'Change lines', 'Start'],
        squash: [`From topic (#${pull_number})`, 'Change lines', 'Start'],
        rebase: ['Change line 3', 'Change line 2', 'Change lines'],
      }[merge_method],
    );
    expect(await test.events()).toEqual(['pull_request.closed', 'issues.closed', 'push']);
    expect(test.received[0]?.payload).toMatchObject({
      sender: { login: 'maya' },
      pull_request: { merged: true, merge_commit_sha: merged.sha, merged_by: { login: 'maya' } },
    });
    expect((await maya.rest.pulls.get({ ...repo, pull_number })).data).toMatchObject({ state: 'closed', commits: 2 });
    expect((await maya.rest.issues.get({ ...repo, issue_number: issue.number })).data.state).toBe('closed');
    await expect(maya.rest.pulls.merge({ ...repo, pull_number })).rejects.toMatchObject({ status: 405 });
  });
});

it('refuses to merge a head that the caller has not seen, a rebase that conflicts, and a reader', async () => {
  await push({ branch: 'topic', replaced: { 5: 'five' } });
  const pull_number = await openPull('topic');
  const merge = async (login: string, options: object) =>
    test.as(login).rest.pulls.merge({ ...repo, pull_number, ...options });
  await expect(merge('maya', { sha: '0'.repeat(40) })).rejects.toMatchObject({ status: 409 });
  await expect(merge('rob', {})).rejects.toMatchObject({ status: 403 });
  await push({ branch: 'trunk', replaced: { 5: 'FIVE' } });
  await expect(merge('maya', { merge_method: 'rebase' })).rejects.toMatchObject({ status: 405 });
});

it('follows pushes to its branch, and is closed when the branch goes', async () => {
  const before = await push({ branch: 'topic', replaced: { 5: 'five' } });
  const pull_number = await openPull('topic');
  const after = await push({ branch: 'topic', replaced: { 6: 'six' } });
  expect(await test.events()).toEqual(['create', 'push', 'pull_request.opened', 'push', 'pull_request.synchronize']);
  expect(test.received.at(-1)?.payload).toMatchObject({ before, after, pull_request: { head: { sha: after } } });
  await (await test.bot('acme')).rest.git.deleteRef({ ...repo, ref: 'heads/topic' });
  expect((await test.events()).slice(5)).toEqual(['delete', 'push', 'pull_request.closed']);
  const { data } = await test.as('maya').rest.pulls.get({ ...repo, pull_number });
  expect(data).toMatchObject({ state: 'closed', merged: false, commits: 2 });
  await expect(test.as('maya').rest.pulls.update({ ...repo, pull_number, state: 'open' })).rejects.toMatchObject({
    status: 422,
  });
});

it('counts as merged when somebody pushes its commits to the base', async () => {
  const head = await push({ branch: 'topic', replaced: { 5: 'five' } });
  const pull_number = await openPull('topic');
  await test.git(['push', '-q', 'origin', 'topic:trunk'], { cwd: folder, token });
  const { data } = await test.as('maya').rest.pulls.get({ ...repo, pull_number });
  expect(data).toMatchObject({ merged: true, merge_commit_sha: head, merged_by: { login: 'maya' } });
});

it('is refused twice, without commits, and without a head', async () => {
  await push({ branch: 'topic', replaced: { 5: 'five' } });
  await openPull('topic');
  const reasons = async (head: string) =>
    openPull(head).catch(
      (error: { status: number; response: { data: { errors: { message?: string; field?: string }[] } } }) => [
        error.status,
        error.response.data.errors[0]?.message ?? error.response.data.errors[0]?.field,
      ],
    );
  expect(await reasons('topic')).toEqual([422, 'A pull request already exists for acme:topic.']);
  expect(await reasons('trunk')).toEqual([422, 'No commits between trunk and trunk']);
  expect(await reasons('nowhere')).toEqual([422, 'head']);
});

it('takes reviews with comments on lines, and answers in their threads', async () => {
  await push({ branch: 'topic', replaced: { 5: 'five' } });
  const pull_number = await openPull('topic');
  await test.github.idle();
  test.received.length = 0;
  const maya = test.as('maya');
  const comments = [{ path: 'src/lines.txt', line: 5, side: 'RIGHT', body: 'Say 5' }];
  const review = { ...repo, pull_number, event: 'REQUEST_CHANGES' as const, body: 'Not yet', comments };
  await maya.rest.pulls.createReview(review);
  await expect(
    maya.rest.pulls.createReview({ ...review, comments: [{ ...comments[0]!, line: 19 }] }),
  ).rejects.toMatchObject({ status: 422 });
  const { data: listed } = await maya.rest.pulls.listReviewComments({ ...repo, pull_number });
  expect(listed[0]?.diff_hunk.split('\n').at(-1)).toBe('+five');
  const bot = await test.bot('acme');
  const answer = { ...repo, pull_number, comment_id: listed[0]?.id ?? 0, body: 'Done' };
  const { data: reply } = await bot.rest.pulls.createReplyForReviewComment(answer);
  expect(reply).toMatchObject({ in_reply_to_id: listed[0]?.id, line: 5, user: { type: 'Bot' } });
  await expect(bot.rest.pulls.createReview({ ...repo, pull_number, event: 'APPROVE' })).rejects.toMatchObject({
    status: 422,
  });
  expect(await test.events()).toEqual([
    'pull_request_review.submitted',
    'pull_request_review_comment.created',
    'pull_request_review.submitted',
    'pull_request_review_comment.created',
  ]);
  expect(test.received[0]?.payload['review']).toMatchObject({ state: 'changes_requested', body: 'Not yet' });
  const { data: reviews } = await maya.rest.pulls.listReviews({ ...repo, pull_number });
  expect(reviews.map(({ state }) => state)).toEqual(['CHANGES_REQUESTED', 'COMMENTED']);
});
