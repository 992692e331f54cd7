import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startWeb } from './web-site.ts';
import type { WebSite } from './web-site.ts';

const repository = 'ada/shapes';
let site: WebSite;

beforeEach(async () => {
  site = await startWeb(repository);
});
afterEach(async () => site.close());

/** What the webhooks sent since then said, without what differs between any two events. */
async function eventsSince(count: number): Promise<unknown[]> {
  await site.github.idle();
  const sent = site.github.deliveries().slice(count);
  return sent.map(({ event, action, request }) => [event, action, stable(request.payload)]);
}

function stable(value: unknown): unknown {
  const text = JSON.stringify(value, (key, part: unknown) =>
    /^(?:id|node_id|sha|head_sha|number|tree_id|open_issues.*|.*_at|timestamp|after|before|date|merge_commit_sha)$/u.test(
      key,
    )
      ? '…'
      : part,
  );
  return JSON.parse(
    text.replaceAll(/[\da-f]{40}|(?<=(?:comments|issues|pulls?|issuecomment)[/-])\d+|#\d+|topic-\w+/gu, '…'),
  );
}

/** Does the same by REST and by the page, each on a pull request or issue of its own, and compares the events. */
async function expectSameEvents(byRest: () => Promise<unknown>, byPage: () => Promise<Response>): Promise<unknown[]> {
  await site.github.idle();
  const start = site.github.deliveries().length;
  await byRest();
  const restEvents = await eventsSince(start);
  const middle = site.github.deliveries().length;
  const response = await byPage();
  expect(response.status).toBe(303);
  expect(await eventsSince(middle)).toEqual(restEvents);
  return restEvents;
}

async function openIssue(title: string): Promise<number> {
  const issue = await site.rest('POST', '/issues', { title, body: 'Please' });
  return issue['number'] as number;
}

async function openPull(branch: string): Promise<number> {
  const main = await site.rest('GET', '/git/ref/heads/main');
  const { sha } = main['object'] as { sha: string };
  await site.rest('POST', '/git/refs', { ref: `refs/heads/${branch}`, sha });
  const content = Buffer.from(`export const name = '${branch}';\n`).toString('base64');
  await site.rest('PUT', `/contents/src/${branch}.ts`, { message: 'Add a name', content, branch });
  const pull = await site.rest('POST', '/pulls', { title: 'Add a name', head: branch, base: 'main', body: 'Please' });
  return pull['number'] as number;
}

async function seedMain(): Promise<void> {
  const content = Buffer.from('# Shapes\n').toString('base64');
  await site.rest('PUT', '/contents/README.md', { message: 'Begin', content });
}

describe('a form does what REST does', () => {
  it('labels', async () => {
    const [one, two] = [await openIssue('Same'), await openIssue('Same')];
    await site.rest('POST', '/labels', { name: 'refactor', color: '5319e7' });
    const events = await expectSameEvents(
      async () => site.rest('POST', `/issues/${one}/labels`, { labels: ['refactor'] }),
      async () => site.post(`/${repository}/issues/${two}/labels`, { add: 'refactor' }),
    );
    expect(events).toMatchObject([['issues', 'labeled', {}]]);
    const issue = await site.rest('GET', `/issues/${two}`);
    expect(issue['labels']).toMatchObject([{ name: 'refactor', color: '5319e7' }]);

    expect((await site.post(`/${repository}/issues/${two}/labels`, { remove: 'refactor' })).status).toBe(303);
    expect(await site.rest('GET', `/issues/${two}`)).toMatchObject({ labels: [] });
  });

  it('comments, with the line breaks that were typed', async () => {
    const [one, two] = [await openIssue('Same'), await openIssue('Same')];
    await expectSameEvents(
      async () => site.rest('POST', `/issues/${one}/comments`, { body: 'first\nsecond' }),
      async () => site.post(`/${repository}/issues/${two}/comments`, { body: 'first\r\nsecond' }),
    );
    expect(await site.page(`/${repository}/issues/${two}`)).toMatch(/first<br \/>\s*second/u);
  });

  it('closes and reopens', async () => {
    const [one, two] = [await openIssue('Same'), await openIssue('Same')];
    for (const state of ['closed', 'open']) {
      await expectSameEvents(
        async () => site.rest('PATCH', `/issues/${one}`, { state }),
        async () => site.post(`/${repository}/issues/${two}/comments`, { body: '', state }),
      );
    }
  });

  it('opens an issue', async () => {
    const opened = { title: 'Same', body: 'Please' };
    const events = await expectSameEvents(
      async () => site.rest('POST', '/issues', opened),
      async () => site.post(`/${repository}/issues`, opened),
    );
    expect(events).toMatchObject([['issues', 'opened', {}]]);
  });

  it.each(['merge', 'squash', 'rebase'])('merges by %s', async (method) => {
    await seedMain();
    const one = await openPull('topic-one');
    await site.rest('PUT', `/pulls/${one}/merge`, { merge_method: method });
    await site.github.idle();
    const names = (from: number) =>
      site.github
        .deliveries()
        .slice(from)
        .map(({ event, action }) => [event, action]);
    const byRest = names(0).slice(-2);

    const two = await openPull('topic-two');
    await site.github.idle();
    const start = site.github.deliveries().length;
    const { head } = (await site.rest('GET', `/pulls/${two}`)) as { head: { sha: string } };
    expect((await site.post(`/${repository}/pull/${two}/merge`, { method, sha: head.sha })).status).toBe(303);
    await site.github.idle();
    expect(names(start)).toEqual(byRest);
    expect(byRest).toContainEqual(['pull_request', 'closed']);
    expect(await site.rest('GET', `/pulls/${two}`)).toMatchObject({ merged: true, merged_by: { login: 'ada' } });
    expect(await site.page(`/${repository}/pull/${two}`)).toContain('successfully merged');
    expect(await site.page(`/${repository}/blob/main/src/topic-two.ts`)).toContain('topic-two');

    expect((await site.post(`/${repository}/pull/${two}/delete-branch`, {})).status).toBe(303);
    expect(await site.page(`/${repository}/pull/${two}`)).toContain('has been deleted');
  });

  it('does not merge a head that nobody has seen', async () => {
    await seedMain();
    const number = await openPull('topic');
    const response = await site.post(`/${repository}/pull/${number}/merge`, { method: 'merge', sha: 'a'.repeat(40) });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain('Head branch was modified');
    expect(await site.rest('GET', `/pulls/${number}`)).toMatchObject({ merged: false });
  });

  it('reviews', async () => {
    await seedMain();
    const number = await openPull('topic');
    const fields = { event: 'REQUEST_CHANGES', body: 'Not yet' };
    expect((await site.post(`/${repository}/pull/${number}/reviews`, fields, { as: 'eve' })).status).toBe(303);
    expect((await eventsSince(0)).at(-1)).toMatchObject([
      'pull_request_review',
      'submitted',
      { sender: { login: 'eve' } },
    ]);
    expect(await site.page(`/${repository}/pull/${number}`)).toContain('requested changes');
    expect((await site.post(`/${repository}/pull/${number}/reviews`, { event: 'APPROVE' })).status).toBe(422);
  });

  it('reacts, and takes it back', async () => {
    const number = await openIssue('Same');
    const react = async () =>
      site.post(`/${repository}/issues/${number}/reactions`, { content: 'rocket' }, { as: 'eve' });
    expect((await react()).status).toBe(303);
    expect(await site.rest('GET', `/issues/${number}/reactions`)).toMatchObject([
      { content: 'rocket', user: { login: 'eve' } },
    ]);
    await react();
    expect(await site.rest('GET', `/issues/${number}/reactions`)).toEqual([]);
  });
});
