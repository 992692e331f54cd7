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

async function openIssue(title = 'Tidy up') {
  return (await test.as('maya').rest.issues.create({ ...repo, title })).data;
}

describe('deliveries', () => {
  it('carry the headers of GitHub and a signature over the exact bytes', async () => {
    await openIssue('Ünïcode 💡');
    await test.github.idle();
    const [delivery] = test.received;
    expect(delivery?.signatureIsValid).toBe(true);
    expect(delivery?.headers).toMatchObject({
      'x-github-event': 'issues',
      'x-github-delivery': expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/),
      'x-github-hook-id': expect.stringMatching(/^\d+$/),
      'x-github-hook-installation-target-type': 'integration',
      'x-github-hook-installation-target-id': String(test.github.app.id),
      'user-agent': expect.stringMatching(/^GitHub-Hookshot\//),
      'content-type': 'application/json',
    });
  });

  it('are logged with what was answered, and never tried again', async () => {
    test.answers.push(500);
    await openIssue();
    await test.github.idle();
    expect(test.received).toHaveLength(1);
    const logged = test.github.deliveries().at(-1);
    expect(logged).toMatchObject({
      event: 'issues',
      action: 'opened',
      redelivery: false,
      response: { status: 500, body: 'ok' },
    });
    expect(logged?.request.payload).toEqual(test.received[0]?.payload);
  });

  it('are found and sent again by the app, under the same GUID', async () => {
    test.github.faults.lostDelivery({ event: 'issues' });
    await openIssue();
    await test.github.idle();
    expect(test.received).toEqual([]);
    const app = test.app();
    const { data: failed } = await app.rest.apps.listWebhookDeliveries({ status: 'failure' });
    expect(failed).toMatchObject([{ event: 'issues', status_code: 502, redelivery: false }]);
    const delivery_id = failed[0]?.id ?? 0;
    const { data: details } = await app.rest.apps.getWebhookDelivery({ delivery_id });
    expect(details.request.payload).toMatchObject({ action: 'opened' });
    await app.rest.apps.redeliverWebhookDelivery({ delivery_id });
    await test.github.idle();
    expect(test.received).toMatchObject([{ event: 'issues', guid: details.guid, signatureIsValid: true }]);
    const { data: attempts } = await app.rest.apps.listWebhookDeliveries({ per_page: 1 });
    expect(attempts).toMatchObject([{ guid: details.guid, redelivery: true, status_code: 200 }]);
  });

  it('page by cursor, newest first', async () => {
    for (const title of ['one', 'two', 'three']) await openIssue(title);
    await test.github.idle();
    const seen = await test.app().paginate('GET /app/hook/deliveries', { per_page: 2 });
    expect(seen).toHaveLength(test.github.deliveries().length);
    const ids = seen.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
  });
});

describe('check runs', () => {
  it('belong to the app, follow the commit, and ask it to run again', async () => {
    const bot = await test.bot('acme');
    const { data: trunk } = await bot.rest.git.getRef({ ...repo, ref: 'heads/trunk' });
    const head_sha = trunk.object.sha;
    const { data: run } = await bot.rest.checks.create({
      ...repo,
      name: 'refactor',
      head_sha,
      external_id: 'run-1',
      status: 'in_progress',
    });
    const actions = [{ label: 'Cancel', description: 'Stop the run', identifier: 'cancel' }];
    const output = { title: 'Plan', summary: 'Two batches' };
    await bot.rest.checks.update({ ...repo, check_run_id: run.id, conclusion: 'success', output, actions });
    const { data: listed } = await bot.rest.checks.listForRef({ ...repo, ref: 'trunk', check_name: 'refactor' });
    expect(listed).toMatchObject({
      total_count: 1,
      check_runs: [{ status: 'completed', conclusion: 'success', output, external_id: 'run-1' }],
    });
    await bot.rest.checks.rerequestRun({ ...repo, check_run_id: run.id });
    expect(await test.events()).toEqual(['check_run.created', 'check_run.completed', 'check_run.rerequested']);
    await expect(test.as('maya').rest.checks.create({ ...repo, name: 'mine', head_sha })).rejects.toMatchObject({
      status: 403,
    });
  });

  it('take at most 50 annotations at a time, and are on a commit that exists', async () => {
    const bot = await test.bot('acme');
    const { data: trunk } = await bot.rest.git.getRef({ ...repo, ref: 'heads/trunk' });
    const annotation = {
      path: 'README.md',
      start_line: 1,
      end_line: 1,
      annotation_level: 'notice' as const,
      message: 'Hm',
    };
    const create = async (count: number, head_sha: string) => {
      const annotations = Array.from({ length: count }, () => annotation);
      return bot.rest.checks.create({
        ...repo,
        name: 'refactor',
        head_sha,
        output: { title: 'T', summary: 'S', annotations },
      });
    };
    const { data: run } = await create(50, trunk.object.sha);
    await bot.rest.checks.update({
      ...repo,
      check_run_id: run.id,
      output: { title: 'T', summary: 'S', annotations: [annotation] },
    });
    expect((await bot.rest.checks.get({ ...repo, check_run_id: run.id })).data.output.annotations_count).toBe(51);
    await expect(create(51, trunk.object.sha)).rejects.toMatchObject({ status: 422 });
    await expect(create(1, '1'.repeat(40))).rejects.toMatchObject({ status: 422 });
  });
});

describe('faults', () => {
  it('strike as often as told, where told, and then no more', async () => {
    const bot = await test.bot('acme');
    const { faults } = test.github;
    const ask = async () =>
      bot.rest.repos.get(repo).then(
        ({ status }) => status,
        (error: { status: number }) => error.status,
      );
    faults.expiredToken({ times: 2 });
    expect(await test.as('maya').rest.repos.get(repo)).toMatchObject({ status: 200 });
    expect([await ask(), await ask(), await ask()]).toEqual([401, 401, 200]);
    faults.serverError({ path: '/repos/acme/widgets', method: 'POST' });
    expect(await ask()).toBe(200);
    expect(faults.pending()).toEqual(['server-error']);
    await expect(bot.rest.issues.create({ ...repo, title: 'x' })).rejects.toMatchObject({ status: 502 });
    expect(faults.pending()).toEqual([]);
    expect((await bot.rest.issues.listForRepo(repo)).data).toEqual([]);
  });

  it('limit the rate as GitHub does', async () => {
    const bot = await test.bot('acme');
    test.github.faults.secondaryRateLimit();
    await expect(bot.rest.repos.get(repo)).rejects.toMatchObject({
      status: 403,
      message: expect.stringMatching(/secondary rate limit/i),
      response: { headers: { 'retry-after': '1' } },
    });
  });

  it('reach git when its path is named', async () => {
    const url = `${test.github.url}/acme/widgets.git`;
    test.github.faults.serverError({ path: '.git/', status: 503 });
    await expect(test.git(['ls-remote', url])).rejects.toThrow(/503/);
    expect(await test.git(['ls-remote', url])).toContain('refs/heads/trunk');
  });

  it('keep a merge from happening', async () => {
    test.github.faults.mergeConflict();
    test.github.faults.mergeConflict({ status: 409 });
    const merge = async () => test.as('maya').rest.pulls.merge({ ...repo, pull_number: 1 });
    await expect(merge()).rejects.toMatchObject({ status: 405 });
    await expect(merge()).rejects.toMatchObject({ status: 409 });
    await expect(merge()).rejects.toMatchObject({ status: 404 });
  });

  it('deliver twice under one GUID, or late and out of order', async () => {
    const { faults } = test.github;
    faults.duplicateDelivery({ event: 'issues' });
    await openIssue('one');
    const held = faults.lateDelivery({ event: 'issues', action: 'opened' });
    const { number: issue_number } = await openIssue('two');
    await test.as('maya').rest.issues.createComment({ ...repo, issue_number, body: 'Hello' });
    expect(await test.events()).toEqual(['issues.opened', 'issues.opened', 'issue_comment.created']);
    expect(test.received[0]?.guid).toBe(test.received[1]?.guid);
    expect(held.count()).toBe(1);
    held.release();
    expect((await test.events()).at(-1)).toBe('issues.opened');
    expect(test.received.at(-1)?.payload.issue?.title).toBe('two');
  });
});
