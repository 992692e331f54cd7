import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GATE_RULES, type GateRule } from '../../src/domain/patch.ts';
import { toCommitId, type TreeId } from '../../src/domain/ids.ts';
import type { TrustedPath } from '../../src/domain/workspace.ts';
import { GATE } from '../../src/pipeline/gate/gate.ts';
import type { GitRepository } from '../../src/git/git-repository.ts';
import { importLocalRepository } from '../../src/git/import-local-repository.ts';
import { openGitRepository } from '../../src/git/open-git-repository.ts';
import { reviewPatch } from '../../src/pipeline/gate/review-patch.ts';
import {
  ACCEPTED,
  BASE_FILES,
  batchOf,
  GOOD_CASE,
  optionsOf,
  patchOf,
  REFUSED,
  type GateCase,
} from '../support/gate-cases.ts';
import { seedRepository } from '../support/seed-repository.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'gate-'));
let git: GitRepository;
let base: TreeId;

beforeAll(async () => {
  const commit = toCommitId(seedRepository(path.join(root, 'work'), BASE_FILES));
  git = await openGitRepository(path.join(root, 'run.git') as TrustedPath);
  await importLocalRepository(path.join(root, 'work'), git.gitDir);
  base = await git.treeOf(commit);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const request = (given: GateCase) => ({
  patch: patchOf(given),
  batch: batchOf(given),
  options: optionsOf(given),
  base,
  git,
});

function without(rule: GateRule): Partial<typeof GATE> {
  const { [rule]: _left, ...others } = GATE;
  return others;
}

const refused = GATE_RULES.flatMap((rule) => REFUSED[rule].map((given) => ({ rule, what: given.what, given })));

describe('each rule', () => {
  it('has a patch', () => expect(GATE_RULES.filter((rule) => REFUSED[rule].length === 0)).toEqual([]));

  it.each(refused)('$rule alone refuses $what', async ({ rule, given }) => {
    const review = await reviewPatch(request(given));
    if (review.accepted) throw new Error('accepted');
    expect([...new Set(review.rejections.map((rejection) => rejection.rule))], JSON.stringify(review)).toEqual([rule]);
    expect(review.rejections.every(({ message }) => message.length > 20)).toBe(true);
    const review2 = reviewPatch(request(given), without(rule));
    // Without a result there is nothing that a gate could accept.
    if (rule === 'does-not-apply') await expect(review2).rejects.toMatchObject({ code: 'invariant-broken' });
    else expect(await review2).toMatchObject({ accepted: true });
  });
});

describe('the gate', () => {
  it.each(ACCEPTED)('accepts $what', async (given) => {
    const review = await reviewPatch(request(given));
    expect(review, JSON.stringify(review)).toMatchObject({ accepted: true });
  });

  it('answers with the tree and its figures', async () => {
    const review = await reviewPatch(request(GOOD_CASE));
    expect(review).toMatchObject({ accepted: true, stat: { files: 1, added: 1, removed: 1 } });
    const applied = await git.apply(base, GOOD_CASE.diff);
    expect(review.accepted && review.tree).toBe('tree' in applied && applied.tree);
  });

  it('answers with every reason at once, and never with the secret', async () => {
    const secret = `ghp_${'a1'.repeat(18)}`;
    const diff = `${GOOD_CASE.diff}diff --git a/.npmrc b/.npmrc\nnew file mode 100644\n--- /dev/null\n+++ b/.npmrc\n@@ -0,0 +1 @@\n+${secret}\n`;
    const review = await reviewPatch(
      request({ what: '', diff, patch: { touchedFiles: [] }, batch: { diffBudgetLines: 1 } }),
    );
    if (review.accepted) throw new Error('accepted');
    expect([...new Set(review.rejections.map((rejection) => rejection.rule))]).toEqual([
      'protected-path',
      'out-of-scope',
      'claims-differ',
      'over-budget',
      'secret',
    ]);
    expect(JSON.stringify(review)).not.toContain(secret);
  });

  it.each(['../../x', '/etc/x', '.git/config', '.GIT/config', 'a/../../y', 'git~1/config'])(
    'refuses %s',
    async (name) => {
      const diff = `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;
      const review = await reviewPatch(request({ what: '', diff, batch: { scope: ['**'] } }));
      if (review.accepted) throw new Error('accepted');
      expect(review.rejections.map((rejection) => rejection.rule)).toContain('unsafe-path');
    },
  );

  it('never throws, whatever the text', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'diff --git a/src/a.ts b/src/a.ts\n',
        '--- a/src/a.ts\n',
        '+++ b/src/a.ts\n',
        '@@ -1 +1 @@\n',
        '-export const a = 1;\n',
        '+x\n',
        'new file mode 120000\n',
        'rename from src/a.ts\nrename to b\n',
        'GIT binary patch\nliteral 1\n',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const review = await reviewPatch(request({ what: '', diff: pieces.join('') }));
        expect(typeof review.accepted).toBe('boolean');
      }),
      { numRuns: 60 },
    );
  });
});
