import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { toCommitId, type RunId } from '../../src/domain/ids.ts';
import { openCodeHost, type OpenCodeHost } from '../support/open-code-host.ts';

const at = { owner: 'acme', repo: 'widgets' };
const run = '20261122-010203-1a2b3c4d' as RunId;
let open: OpenCodeHost;
let issueNumber: number;

beforeAll(async () => {
  open = await openCodeHost();
  issueNumber = (await open.maya.rest.issues.create({ ...at, title: 'Tidy up', body: null as never })).data.number;
});

afterEach(() => {
  expect(open.github.faults.pending()).toEqual([]);
  open.github.faults.clear();
  expect(open.violations()).toEqual([]);
});

afterAll(() => open.close());

async function branch(name: string, file = `${name}.txt`): Promise<string> {
  const trunk = await open.maya.rest.git.getRef({ ...at, ref: 'heads/trunk' });
  await open.maya.rest.git.createRef({ ...at, ref: `refs/heads/${name}`, sha: trunk.data.object.sha });
  const content = Buffer.from(`${name}\n`).toString('base64');
  const put = await open.maya.rest.repos.createOrUpdateFileContents({
    ...at,
    path: file,
    message: name,
    content,
    branch: name,
  });
  return put.data.commit.sha ?? '';
}

async function comments(): Promise<readonly { body?: string | undefined; id: number }[]> {
  return (await open.maya.rest.issues.listComments({ ...at, issue_number: issueNumber, per_page: 100 })).data;
}

describe('repositories', () => {
  test.each(['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const)(
    'permission %s is told',
    async (permission) => {
      open.github.grant({ repository: 'acme/widgets', login: `a-${permission}`, permission });
      await expect(open.host.repositories.permissionOf(open.repository, `a-${permission}`)).resolves.toBe(permission);
    },
  );

  test('somebody who does not exist has no permission', async () => {
    await expect(open.host.repositories.permissionOf(open.repository, 'nobody-here')).resolves.toBe('none');
  });

  test('finds the head of a branch, and null for one that is not there or only begins that way', async () => {
    const sha = await branch('refactor-bot/one');
    await expect(open.host.repositories.branchHead(open.repository, 'refactor-bot/one')).resolves.toBe(sha);
    await expect(open.host.repositories.branchHead(open.repository, 'refactor-bot')).resolves.toBeNull();
    await expect(open.host.repositories.branchHead(open.repository, 'nope')).resolves.toBeNull();
  });

  test('an empty repository has no branch and no file', async () => {
    const { cloneUrl } = await open.github.createRepository({ owner: 'acme', name: 'empty' });
    const empty = { ...open.repository, name: 'empty', cloneUrl, defaultBranch: 'main' };
    await expect(open.host.repositories.branchHead(empty, 'main')).resolves.toBeNull();
    await expect(open.host.repositories.readTextFile(empty, { path: 'x', ref: 'main' })).resolves.toBeNull();
  });

  test('reads a file at a branch; what is no file is null', async () => {
    await branch('reading', 'docs/größe.md');
    const read = (path: string, ref = 'reading') => open.host.repositories.readTextFile(open.repository, { path, ref });
    await expect(read('docs/größe.md')).resolves.toBe('reading\n');
    await expect(read('README.md')).resolves.toBe('# widgets\n');
    await expect(read('docs')).resolves.toBeNull();
    await expect(read('docs/größe.md', 'trunk')).resolves.toBeNull();
    await expect(read('nope.md')).resolves.toBeNull();
  });

  test('deletes a branch once', async () => {
    await branch('gone');
    await expect(open.host.repositories.deleteBranch(open.repository, 'gone')).resolves.toBe(true);
    await expect(open.host.repositories.deleteBranch(open.repository, 'gone')).resolves.toBe(false);
  });

  test('a token for git is new each time and reaches one repository only', async () => {
    const first = await open.host.repositories.cloneToken(open.repository);
    const second = await open.host.repositories.cloneToken(open.repository);
    expect(first).not.toBe(second);
    const answer = await fetch(`${open.github.url}/api/v3/installation/repositories`, {
      headers: { authorization: `token ${first}` },
    });
    const { repositories } = (await answer.json()) as { repositories: { name: string }[] };
    expect(repositories.map(({ name }) => name)).toEqual(['widgets']);
  });
});

describe('conversation', () => {
  test('reads an issue', async () => {
    await expect(open.host.conversation.getIssue(open.repository, issueNumber)).resolves.toEqual({
      number: issueNumber,
      title: 'Tidy up',
      body: '',
      open: true,
      labels: [],
      isPullRequest: false,
    });
    await expect(open.host.conversation.getIssue(open.repository, 9999)).resolves.toBeNull();
  });

  test('a marked comment is written once and then edited', async () => {
    const target = { issueNumber, marker: 'status:1' };
    const first = await open.host.conversation.putComment(open.repository, target, 'one');
    const second = await open.host.conversation.putComment(open.repository, target, 'two');
    expect(second).toEqual(first);
    expect(await comments()).toMatchObject([{ body: '<!-- refactor-bot:status:1 -->\ntwo' }]);
  });

  test('a process that knows nothing finds its comment behind a hundred others', async () => {
    for (let index = 0; index < 105; index += 1)
      await open.maya.rest.issues.createComment({ ...at, issue_number: issueNumber, body: `talk ${index}` });
    const target = { issueNumber, marker: 'status:late' };
    const first = await open.host.conversation.putComment(open.repository, target, 'one');
    const another = await open.reopen();
    await expect(another.conversation.putComment(open.repository, target, 'two')).resolves.toEqual(first);
  });

  test("a person's comment with the same marker is left alone", async () => {
    const body = '<!-- refactor-bot:status:copied -->\nmine';
    const theirs = await open.maya.rest.issues.createComment({ ...at, issue_number: issueNumber, body });
    const target = { issueNumber, marker: 'status:copied' };
    const own = await open.host.conversation.putComment(open.repository, target, 'ours');
    expect(own.id).not.toBe(theirs.data.id);
    const still = await open.maya.rest.issues.getComment({ ...at, comment_id: theirs.data.id });
    expect(still.data.body).toBe(body);
  });

  test('a comment that somebody deleted is written again', async () => {
    const target = { issueNumber, marker: 'status:deleted' };
    const first = await open.host.conversation.putComment(open.repository, target, 'one');
    await open.maya.rest.issues.deleteComment({ ...at, comment_id: first.id });
    const second = await open.host.conversation.putComment(open.repository, target, 'two');
    expect(second.id).not.toBe(first.id);
  });

  test('a body beyond the limit is cut', async () => {
    const target = { issueNumber, marker: 'long' };
    await open.host.conversation.putComment(open.repository, target, 'word '.repeat(20_000));
  });

  test('reacts once, also to a comment that is gone', async () => {
    const comment = await open.maya.rest.issues.createComment({
      ...at,
      issue_number: issueNumber,
      body: '/refactor run',
    });
    const id = comment.data.id;
    await open.host.conversation.reactToComment(open.repository, id, 'eyes');
    await open.host.conversation.reactToComment(open.repository, id, 'eyes');
    const reactions = await open.maya.rest.reactions.listForIssueComment({ ...at, comment_id: id });
    expect(reactions.data.map(({ content }) => content)).toEqual(['eyes']);
    await open.host.conversation.reactToComment(open.repository, 99_999_999, 'eyes');
  });

  test('changes labels, creating its own with their colour', async () => {
    await open.maya.rest.issues.addLabels({ ...at, issue_number: issueNumber, labels: ['refactor', 'bug'] });
    const change = { remove: ['refactor', 'never there'], add: ['refactor: running'] };
    await open.host.conversation.changeLabels(open.repository, issueNumber, change);
    await open.host.conversation.changeLabels(open.repository, issueNumber, change);
    const issue = await open.host.conversation.getIssue(open.repository, issueNumber);
    expect(issue?.labels.toSorted()).toEqual(['bug', 'refactor: running']);
    const label = await open.maya.rest.issues.getLabel({ ...at, name: 'refactor: running' });
    expect(label.data.color).toBe('fbca04');
  });

  test('closes an issue', async () => {
    const issue = await open.maya.rest.issues.create({ ...at, title: 'to close' });
    await open.host.conversation.closeIssue(open.repository, issue.data.number);
    await open.host.conversation.closeIssue(open.repository, issue.data.number);
    expect((await open.host.conversation.getIssue(open.repository, issue.data.number))?.open).toBe(false);
  });
});

describe('pull requests', () => {
  const pull = { head: 'refactor-bot/two', base: 'trunk', title: 'refactor: two', body: 'report' };

  test('opens one and brings it up to date', async () => {
    const sha = await branch(pull.head, 'two.txt');
    await expect(open.host.pullRequests.findByHead(open.repository, pull.head)).resolves.toBeNull();
    const opened = await open.host.pullRequests.put(open.repository, pull);
    expect(opened).toMatchObject({
      open: true,
      merged: false,
      mergeCommit: null,
      headBranch: pull.head,
      headCommit: sha,
    });
    const again = await open.host.pullRequests.put(open.repository, { ...pull, title: 'better' });
    expect(again).toEqual(opened);
    await expect(open.host.pullRequests.get(open.repository, opened.number)).resolves.toEqual(opened);
    await expect(open.host.pullRequests.get(open.repository, 9999)).resolves.toBeNull();
    expect((await open.host.conversation.getIssue(open.repository, opened.number))?.isPullRequest).toBe(true);
  });

  test('lists the files of those that are open', async () => {
    await expect(open.host.pullRequests.filesInOpenPullRequests(open.repository)).resolves.toEqual(['two.txt']);
  });

  test('tells a merge from a close', async () => {
    const found = await open.host.pullRequests.findByHead(open.repository, pull.head);
    const merged = await open.maya.rest.pulls.merge({ ...at, pull_number: found?.number ?? 0 });
    await expect(open.host.pullRequests.findByHead(open.repository, pull.head)).resolves.toMatchObject({
      open: false,
      merged: true,
      mergeCommit: merged.data.sha,
    });
    await expect(open.host.pullRequests.filesInOpenPullRequests(open.repository)).resolves.toEqual([]);
  });

  test('a branch without commits of its own is refused with the reason', async () => {
    await expect(
      open.host.pullRequests.put(open.repository, { ...pull, head: 'trunk', title: 'nothing' }),
    ).rejects.toMatchObject({ code: 'host-refused' });
  });
});

describe('checks', () => {
  test('a run has one check run on a commit', async () => {
    const commit = toCommitId(await branch('checked'));
    const content = { run, commit, title: 'Baseline', summary: 'word '.repeat(20_000) };
    await open.host.checks.put(open.repository, { ...content, status: 'in_progress', conclusion: null });
    await open.host.checks.put(open.repository, { ...content, status: 'completed', conclusion: 'neutral' });
    const listed = await open.maya.rest.checks.listForRef({ ...at, ref: commit });
    expect(listed.data.check_runs).toMatchObject([
      { name: 'refactor-bot', status: 'completed', conclusion: 'neutral', external_id: run },
    ]);
  });
});

describe('misfortune', () => {
  const head = () => open.host.repositories.branchHead(open.repository, 'trunk');

  test('a token that ran out is replaced once', async () => {
    open.github.faults.expiredToken();
    await expect(head()).resolves.toHaveLength(40);
  });

  test('a secondary rate limit says how long to wait', async () => {
    open.github.faults.secondaryRateLimit();
    await expect(head()).rejects.toMatchObject({ code: 'rate-limited', details: { retryAfterMs: 1000 } });
  });

  test.each([500, 502, 503] as const)('%i is for another try', async (status) => {
    open.github.faults.serverError({ status });
    await expect(head()).rejects.toMatchObject({ code: 'host-unavailable', category: 'transient' });
  });

  test('an installation that is not there is not a missing file', async () => {
    const elsewhere = { ...open.repository, installationId: 999_999 };
    await expect(
      open.host.repositories.readTextFile(elsewhere, { path: 'README.md', ref: 'trunk' }),
    ).rejects.toMatchObject({ code: 'permission-missing' });
  });
});

test('a host that cannot be reached is for another try, and pacing does not swallow a rate limit', async () => {
  const other = await openCodeHost({ paceRequests: true });
  try {
    other.github.faults.secondaryRateLimit();
    await expect(other.host.repositories.branchHead(other.repository, 'trunk')).rejects.toMatchObject({
      code: 'rate-limited',
    });
    expect(other.github.faults.pending()).toEqual([]);
  } finally {
    await other.close();
  }
  await expect(other.host.repositories.branchHead(other.repository, 'trunk')).rejects.toMatchObject({
    code: 'host-unavailable',
  });
});
