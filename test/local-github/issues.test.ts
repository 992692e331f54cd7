import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startTestGithub } from './test-github.ts';
import type { TestGithub } from './test-github.ts';

const repo = { owner: 'acme', repo: 'widgets' };
let test: TestGithub;

beforeEach(async () => {
  test = await startTestGithub();
});
afterEach(async () => {
  const violations = test.violations();
  await test.close();
  expect(violations).toEqual([]);
});

it('sends one event for the issue and one for each of its labels', async () => {
  const maya = test.as('maya');
  await maya.rest.issues.createLabel({ ...repo, name: 'refactor', color: 'Ff0000', description: 'Ask the bot' });
  const { data: issue } = await maya.rest.issues.create({ ...repo, title: 'Tidy up', labels: ['Refactor', 'new one'] });
  expect(issue.labels).toMatchObject([{ name: 'refactor', color: 'ff0000' }, { name: 'new one' }]);
  expect(await test.events()).toEqual(['issues.opened', 'issues.labeled', 'issues.labeled']);
  const [opened, labeled] = test.received.map(({ payload }) => payload);
  expect(opened).toMatchObject({ issue: { labels: [] }, sender: { login: 'maya', type: 'User' }, installation: {} });
  expect(labeled).toMatchObject({ label: { name: 'refactor' }, issue: { labels: [{ name: 'refactor' }] } });
});

it('adds, replaces and removes labels, telling only what changed', async () => {
  const bot = await test.bot('acme');
  const { data: issue } = await bot.rest.issues.create({ ...repo, title: 'Tidy up', labels: ['a'] });
  const at = { ...repo, issue_number: issue.number };
  await bot.rest.issues.addLabels({ ...at, labels: ['a', 'b'] });
  await bot.rest.issues.setLabels({ ...at, labels: ['b', 'c'] });
  await bot.rest.issues.removeLabel({ ...at, name: 'c' });
  await expect(bot.rest.issues.removeLabel({ ...at, name: 'c' })).rejects.toMatchObject({ status: 404 });
  expect((await bot.rest.issues.listLabelsOnIssue(at)).data.map(({ name }) => name)).toEqual(['b']);
  await test.github.idle();
  const changes = test.received.slice(1).map(({ action, payload }) => `${action} ${payload.label?.name}`);
  expect(changes).toEqual(['labeled a', 'labeled b', 'unlabeled a', 'labeled c', 'unlabeled c']);
  expect(test.received.every(({ payload }) => payload.sender.type === 'Bot')).toBe(true);
});

it("marks the app's comments, and sends them back to it", async () => {
  const bot = await test.bot('acme');
  const maya = test.as('maya');
  const { data: issue } = await maya.rest.issues.create({ ...repo, title: 'Tidy up' });
  const at = { ...repo, issue_number: issue.number };
  const { data: mine } = await bot.rest.issues.createComment({ ...at, body: 'On it' });
  await bot.rest.issues.updateComment({ ...repo, comment_id: mine.id, body: 'Done' });
  const { data: hers } = await maya.rest.issues.createComment({ ...at, body: 'Thanks' });
  expect(mine.performed_via_github_app).toMatchObject({ slug: 'refactor-bot' });
  expect(hers.performed_via_github_app).toBeNull();
  const { data: comments } = await maya.rest.issues.listComments(at);
  expect(comments.map(({ body, user }) => [body, user?.type])).toEqual([
    ['Done', 'Bot'],
    ['Thanks', 'User'],
  ]);
  await maya.rest.issues.deleteComment({ ...repo, comment_id: hers.id });
  const names = [
    'issues.opened',
    'issue_comment.created',
    'issue_comment.edited',
    'issue_comment.created',
    'issue_comment.deleted',
  ];
  expect(await test.events()).toEqual(names);
  expect(test.received[2]?.payload).toMatchObject({ changes: { body: { from: 'On it' } }, sender: { type: 'Bot' } });
  await expect(
    test.as('rob').rest.issues.updateComment({ ...repo, comment_id: mine.id, body: 'x' }),
  ).rejects.toMatchObject({ status: 403 });
});

it('closes and reopens once each, and keeps what was before an edit', async () => {
  const maya = test.as('maya');
  const { data: issue } = await maya.rest.issues.create({ ...repo, title: 'Tidy up', body: 'Please' });
  const at = { ...repo, issue_number: issue.number };
  for (const state of ['closed', 'closed', 'open'] as const) await maya.rest.issues.update({ ...at, state });
  await maya.rest.issues.update({ ...at, title: 'Tidy', body: 'Now' });
  expect(await test.events()).toEqual(['issues.opened', 'issues.closed', 'issues.reopened', 'issues.edited']);
  expect(test.received[3]?.payload['changes']).toEqual({ title: { from: 'Tidy up' }, body: { from: 'Please' } });
  await expect(test.as('rob').rest.issues.update({ ...at, state: 'closed' })).rejects.toMatchObject({ status: 403 });
});

it('counts each reaction of a person once', async () => {
  const bot = await test.bot('acme');
  const { data: issue } = await bot.rest.issues.create({ ...repo, title: 'Tidy up' });
  const at = { ...repo, issue_number: issue.number };
  const { data: comment } = await bot.rest.issues.createComment({ ...at, body: 'Hm' });
  const onComment = { ...repo, comment_id: comment.id };
  const first = await bot.rest.reactions.createForIssueComment({ ...onComment, content: 'eyes' });
  const second = await bot.rest.reactions.createForIssueComment({ ...onComment, content: 'eyes' });
  await test.as('maya').rest.reactions.createForIssue({ ...at, content: 'rocket' });
  expect([first.status, second.status]).toEqual([201, 200]);
  expect((await bot.rest.issues.getComment(onComment)).data.reactions).toMatchObject({ eyes: 1, total_count: 1 });
  expect((await bot.rest.reactions.listForIssue(at)).data).toMatchObject([
    { content: 'rocket', user: { login: 'maya' } },
  ]);
  await expect(
    test.as('maya').rest.reactions.deleteForIssueComment({ ...onComment, reaction_id: first.data.id }),
  ).rejects.toMatchObject({ status: 404 });
  await bot.rest.reactions.deleteForIssueComment({ ...onComment, reaction_id: first.data.id });
  expect((await bot.rest.reactions.listForIssueComment(onComment)).data).toEqual([]);
});

it('numbers issues and pull requests together, and serves both as issues', async () => {
  const maya = test.as('maya');
  await maya.rest.issues.create({ ...repo, title: 'One' });
  const content = Buffer.from('new').toString('base64');
  const { data: trunk } = await maya.rest.git.getRef({ ...repo, ref: 'heads/trunk' });
  await maya.rest.git.createRef({ ...repo, ref: 'refs/heads/topic', sha: trunk.object.sha });
  await maya.rest.repos.createOrUpdateFileContents({
    ...repo,
    path: 'new.txt',
    message: 'New',
    content,
    branch: 'topic',
  });
  const { data: pull } = await maya.rest.pulls.create({ ...repo, title: 'Two', head: 'topic', base: 'trunk' });
  expect(pull.number).toBe(2);
  const { data: issues } = await maya.rest.issues.listForRepo(repo);
  expect(issues.map(({ number, pull_request }) => [number, pull_request !== undefined])).toEqual([
    [2, true],
    [1, false],
  ]);
  await maya.rest.issues.createComment({ ...repo, issue_number: 2, body: '/refactor status' });
  await maya.rest.issues.addLabels({ ...repo, issue_number: 2, labels: ['refactor'] });
  expect((await test.events()).slice(-2)).toEqual(['issue_comment.created', 'pull_request.labeled']);
  await expect(maya.rest.pulls.get({ ...repo, pull_number: 1 })).rejects.toMatchObject({ status: 404 });
});

describe('limits', () => {
  it('refuses bodies over 65,536 characters, counted as people count them', async () => {
    const bot = await test.bot('acme');
    const { data: issue } = await bot.rest.issues.create({ ...repo, title: 'Long', body: '💡'.repeat(65_536) });
    const at = { ...repo, issue_number: issue.number };
    await expect(bot.rest.issues.createComment({ ...at, body: 'x'.repeat(65_537) })).rejects.toMatchObject({
      status: 422,
    });
    await expect(bot.rest.issues.createComment({ ...at, body: ' ' })).rejects.toMatchObject({ status: 422 });
    await expect(bot.rest.issues.update({ ...at, body: 'x'.repeat(65_537) })).rejects.toMatchObject({ status: 422 });
  });

  it('pages long lists, with links that lead through all of it', async () => {
    const bot = await test.bot('acme');
    const { data: issue } = await bot.rest.issues.create({ ...repo, title: 'Busy' });
    const at = { ...repo, issue_number: issue.number };
    for (let count = 1; count <= 35; count += 1) await bot.rest.issues.createComment({ ...at, body: String(count) });
    expect((await bot.rest.issues.listComments(at)).data).toHaveLength(30);
    const all = await bot.paginate(bot.rest.issues.listComments, { ...at, per_page: 10 });
    expect(all.map(({ body }) => Number(body))).toEqual(Array.from({ length: 35 }, (_, index) => index + 1));
    const { headers } = await bot.rest.issues.listComments({ ...at, per_page: 10, page: 2 });
    expect(headers.link?.match(/rel="\w+"/g)).toEqual(['rel="prev"', 'rel="next"', 'rel="last"', 'rel="first"']);
  });
});
