import { readFileSync } from 'node:fs';

import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';

import { toCommitId, type RunId } from '../../src/domain/ids.ts';
import { HANDLED_EVENTS } from '../../src/webhooks/handle-delivery.ts';
import { openCodeHost, type OpenCodeHost } from '../support/open-code-host.ts';

interface Manifest {
  readonly default_permissions: Readonly<Record<string, 'read' | 'write'>>;
  readonly default_events: readonly string[];
  readonly hook_attributes: { readonly url: string };
}

const manifest = parse(readFileSync(new URL('../../app.yml', import.meta.url), 'utf8')) as Manifest;
const granted = manifest.default_permissions;
const at = { owner: 'acme', repo: 'widgets' };
let open: OpenCodeHost;

afterEach(() => open.close());

/** Everything that the app does with GitHub in the life of a run, but for git itself. */
async function useEverything(): Promise<void> {
  const { host, repository, maya } = open;
  const issue = await maya.rest.issues.create({ ...at, title: 'Tidy up' });
  const issueNumber = issue.data.number;
  const comment = await maya.rest.issues.createComment({ ...at, issue_number: issueNumber, body: '/refactor run' });
  const trunk = await maya.rest.git.getRef({ ...at, ref: 'heads/trunk' });
  await maya.rest.git.createRef({ ...at, ref: 'refs/heads/work', sha: trunk.data.object.sha });
  await maya.rest.repos.createOrUpdateFileContents({
    ...at,
    branch: 'work',
    path: 'a.txt',
    message: 'a',
    content: 'YQ==',
  });

  await host.repositories.permissionOf(repository, 'maya');
  await host.repositories.readTextFile(repository, { path: '.github/refactor-bot.yml', ref: 'trunk' });
  const head = await host.repositories.branchHead(repository, 'work');
  await host.repositories.cloneToken(repository);
  await host.conversation.getIssue(repository, issueNumber);
  await host.conversation.reactToComment(repository, comment.data.id, 'eyes');
  await host.conversation.changeLabels(repository, issueNumber, { remove: ['refactor'], add: ['refactor: running'] });
  await host.conversation.putComment(repository, { issueNumber, marker: 'status' }, 'one');
  await host.conversation.putComment(repository, { issueNumber, marker: 'status' }, 'two');
  await host.pullRequests.filesInOpenPullRequests(repository);
  const pull = { head: 'work', base: 'trunk', title: 'refactor: work', body: 'report' };
  const opened = await host.pullRequests.put(repository, pull);
  await host.pullRequests.put(repository, pull);
  await host.pullRequests.get(repository, opened.number);
  // The report is also spoken about there: comments on a pull request are under another permission than those on issues.
  await host.conversation.putComment(repository, { issueNumber: opened.number, marker: 'reply' }, 'answer');
  const run = '20261122-010203-1a2b3c4d' as RunId;
  const check = { run, commit: toCommitId(head ?? ''), status: 'completed', title: 't', summary: 's' } as const;
  await host.checks.put(repository, { ...check, conclusion: 'success' });
  await host.checks.put(repository, { ...check, conclusion: 'neutral' });
  await host.conversation.closeIssue(repository, issueNumber);
  await host.repositories.deleteBranch(repository, 'work');
  await host.deliveries.recent(10);
}

test('the permissions of app.yml are enough', async () => {
  open = await openCodeHost({ permissions: granted });
  await useEverything();
  expect(open.violations()).toEqual([]);
});

/**
 * Every app has `metadata`. What `issues` allows, `pull_requests` allows on the issues that are pull requests; the embedded GitHub
 * does not tell these apart, so it cannot show that `issues` is needed for the others.
 */
const CANNOT_SHOW: ReadonlySet<string> = new Set(['metadata', 'issues']);

const less = Object.entries(granted).flatMap(([name, level]) => {
  const { [name]: _taken, ...rest } = granted;
  const weaker = [{ how: `without ${name}`, permissions: rest }];
  if (level === 'write') weaker.push({ how: `with ${name}: read`, permissions: { ...rest, [name]: 'read' } });
  return CANNOT_SHOW.has(name) ? [] : weaker;
});

test.each(less)('$how the app cannot do its work', async ({ permissions }) => {
  open = await openCodeHost({ permissions });
  await expect(useEverything()).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:permission-missing|host-refused)$/),
  });
});

test('the events of app.yml are those that somebody handles, and the hook goes where Probot listens', async () => {
  open = await openCodeHost();
  const handled = new Set(HANDLED_EVENTS.map((event) => event.split('.', 1)[0]));
  expect(new Set(manifest.default_events)).toEqual(handled);
  expect(new URL(manifest.hook_attributes.url).pathname).toBe('/api/github/webhooks');
});
