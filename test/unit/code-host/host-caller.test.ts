import type { ProbotOctokit } from 'probot';
import { expect, test } from 'vitest';

import { createHostCaller } from '../../../src/code-host/host-caller.ts';
import { sampleRepository } from '../../support/sample-run.ts';

const doing = { doing: 'reading x', needs: 'contents: read' };
const badToken = Object.assign(new Error('Bad credentials'), { status: 401, response: { headers: {} } });

function callerWithOctokit() {
  const refreshed: unknown[] = [];
  const octokit = { auth: async (options: unknown) => void refreshed.push(options) } as unknown as ProbotOctokit;
  return { refreshed, call: createHostCaller(async () => octokit) };
}

test('a token that the host no longer takes is fetched afresh, once', async () => {
  const { call, refreshed } = callerWithOctokit();
  const answers = [Promise.reject(badToken), Promise.resolve('fine')];
  await expect(call(sampleRepository, doing, () => answers.shift() ?? Promise.reject(badToken))).resolves.toBe('fine');
  expect(refreshed).toEqual([{ type: 'installation', installationId: 7, refresh: true }]);
});

test('when the fresh one fails too, the credentials are wrong', async () => {
  const { call, refreshed } = callerWithOctokit();
  const failing = call(sampleRepository, doing, () => Promise.reject(badToken));
  await expect(failing).rejects.toMatchObject({ code: 'credentials-rejected', category: 'operator' });
  expect(refreshed).toHaveLength(1);
});

test('an error says what was done to which repository', async () => {
  const { call } = callerWithOctokit();
  const offline = Object.assign(new Error('connect ECONNREFUSED'), { status: 500 });
  await expect(call(sampleRepository, doing, () => Promise.reject(offline))).rejects.toThrow(
    'while reading x of acme/render',
  );
});
