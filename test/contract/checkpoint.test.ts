import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitCheckpoint, type CheckpointRequest } from '../../src/pipeline/checkpoint/commit-checkpoint.ts';
import { FIGURE_NAMES, type Figures } from '../../src/domain/figures.ts';
import { openGitRepository } from '../../src/git/open-git-repository.ts';
import { readCheckpoints } from '../../src/pipeline/checkpoint/read-checkpoint.ts';
import { reviewPatch } from '../../src/pipeline/gate/review-patch.ts';
import { toCommitId, type CommitId, type RunId } from '../../src/domain/ids.ts';
import type { TrustedPath } from '../../src/domain/workspace.ts';
import { BASE_FILES, batchOf, GOOD_CASE, optionsOf, patchOf } from '../support/gate-cases.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';
import { plainGit, seedRepository } from '../support/seed-repository.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'checkpoint-'));
const signal = new AbortController().signal;
const run = '20261122-010203-1a2b3c4d' as RunId;
const figures = Object.fromEntries(FIGURE_NAMES.map((name) => [name, 0])) as unknown as Figures;
const branch = `refactor-bot/${run}`;
let server: GitHttpServer;
let base: CommitId;

beforeAll(async () => {
  base = toCommitId(seedRepository(path.join(root, 'work'), BASE_FILES));
  plainGit(root, 'clone', '-q', '--bare', path.join(root, 'work'), path.join(root, 'remotes/x.git'));
  server = await startGitHttpServer(path.join(root, 'remotes'), 'secret');
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

const remote = () => ({
  url: `http://${server.host}/x.git`,
  host: server.host,
  protocol: 'http' as const,
  token: 'secret',
});

it('commits what the gate accepted, twice the same, and another host reads it back from git alone', async () => {
  const git = await openGitRepository(path.join(root, 'run.git') as TrustedPath);
  await git.fetchBranch(remote(), 'main', signal);
  const tree = await git.treeOf(base);
  const batch = batchOf(GOOD_CASE);
  const review = await reviewPatch({
    patch: patchOf(GOOD_CASE),
    batch,
    options: optionsOf(GOOD_CASE),
    base: tree,
    git,
  });
  if (!review.accepted) throw new Error('refused');
  const request: CheckpointRequest = {
    git,
    remote: remote(),
    branch,
    expected: null,
    parent: base,
    tree: review.tree,
    stat: review.stat,
    facts: {
      run,
      batch,
      attempt: 1,
      files: ['src/a.ts'],
      proofs: [],
      figuresBefore: figures,
      figuresAfter: figures,
      checks: [],
    },
    committer: { name: 'refactor-bot', email: 'bot@example.test' },
    date: new Date('2026-11-22T01:02:03Z'),
  };
  const checkpoint = await commitCheckpoint(request, signal);
  expect(await commitCheckpoint(request, signal)).toEqual(checkpoint);
  expect(plainGit(path.join(root, 'remotes/x.git'), 'rev-list', '--count', branch).trim()).toBe('2');

  const other = await openGitRepository(path.join(root, 'other.git') as TrustedPath);
  await other.fetchBranch(remote(), 'main', signal);
  const head = await other.fetchBranch(remote(), branch, signal);
  if (head === null) throw new Error('not pushed');
  expect(await readCheckpoints(other, { run, base, head })).toEqual([checkpoint]);
  expect(await readCheckpoints(other, { run: '20261122-010203-ffffffff' as RunId, base, head })).toEqual([]);
});
