import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRepository } from '../support/world.ts';
import { runCli, withBrokenBubblewrap, withoutBubblewrap, type Told } from './demo-process.ts';

// Whole runs on a machine that may have much else to do: guards against hanging, not promises.
const WHOLE_RUN = 570_000;

describe('demo --auto', () => {
  let told: Told;
  beforeAll(async () => {
    told = await runCli(['demo', '--auto']);
  }, WHOLE_RUN);

  it('ends with 0, in silence about errors, and leaves nothing behind', () => {
    expect(told).toMatchObject({ exitCode: 0, stderr: '', leftBehind: [] });
  });

  it('tells what happens while it happens', () => {
    const steps = [
      /^GitHub: {2}http:\/\/127\.0\.0\.1:\d+\/acme\/parcel-quote$/m,
      /mara, a maintainer, adds the label "refactor"/,
      /^ {2}0:\d\d {2}preparing a clone$/m,
      /proving that the repository is green/,
      /npm test: passed \(19 passed, 0 failed\)/,
      /11 source files, 7 findings/,
      /plan [0-9a-f]{10}: 4 batches, 3 findings left alone/,
      /batch-001 of 4: remove 1 unused import from postcodes\.ts/,
      /batch-001 kept as [0-9a-f]{10} \(\+0 −1\)/,
      /batch-004 of 4: move 20 type declarations of quote\.ts to quote-types\.ts/,
      /verifying the whole branch/,
      /pull request http:/,
      /mara merges the pull request/,
      /Recorded as accepted; the branch is deleted, the issue closed/,
      /Merged and improved/,
    ];
    const places = steps.map((step) => told.stdout.search(step));
    expect(places.filter((place) => place < 0)).toEqual([]);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('shows plan, commits, diffstat, figures and verdicts, in this order', () => {
    const heads = ['\nPlan ', '\nCommits\n', '\nDiffstat\n', '\nFindings before → after\n', '\nVerdicts\n'];
    const places = heads.map((head) => told.stdout.indexOf(head));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('makes at least one commit for each operation', () => {
    expect(told.stdout).toMatch(/^ {2}[0-9a-f]{10} refactor\(src\): remove \d+ unused import/m);
    expect(told.stdout).toMatch(/^ {2}[0-9a-f]{10} refactor\(src\): remove \d+ unused declaration/m);
    expect(told.stdout).toMatch(/^ {2}[0-9a-f]{10} refactor\(src\): move \d+ type declarations/m);
    expect(told.stdout).toMatch(/^ {2}src\/quote-types\.ts +\+\d+ +−0$/m);
  });

  it('lowers what it names and raises nothing', () => {
    const rows = [...told.stdout.matchAll(/^ {2}.+? +(\d+) → +(\d+) /gm)].map((row) => [
      Number(row[1]),
      Number(row[2]),
    ]);
    expect(rows.length).toBeGreaterThanOrEqual(4);
    expect(rows.filter(([before = 0, after = 0]) => after > before)).toEqual([]);
    expect(told.stdout).toMatch(/lines beyond the line limit, summed over files +198 → +107 +−91/);
  });

  it('gives the verdict of every batch, with its proofs', () => {
    const verdicts = told.stdout.slice(told.stdout.indexOf('\nVerdicts\n'));
    expect(verdicts).toMatch(/^ {2}baseline: npm test passed \(19 tests\), npm run typecheck passed$/m);
    expect(verdicts.match(/^ {2}batch-\d{3}: npm test passed \(19 tests\)$/gm)).toHaveLength(4);
    expect(verdicts.match(/proofs: moved-declarations-identical, export-surface-equal/g)).toHaveLength(4);
    expect(verdicts).toMatch(/^ {2}whole branch: npm test passed \(19 tests\), npm run typecheck passed$/m);
  });

  it('declines every trap and says why', () => {
    expect(told.stdout).toMatch(/- src\/offers\.ts, file-too-long\n +augmented-interface: OfferExtras/);
    expect(told.stdout).toMatch(/- src\/labels\.ts, file-too-long\n +spied-export: printer/);
    expect(told.stdout).toMatch(/- src\/offers\.ts, unused-import\n +side-effect-import: DEFAULT_CARRIER/);
  });
});

describe('demo --scenario', () => {
  it('reject closes without a merge, keeps the issue, and ends with 6', { timeout: WHOLE_RUN }, async () => {
    const { exitCode, stdout, stderr, leftBehind } = await runCli(['demo', '--scenario', 'reject']);
    expect({ exitCode, stderr, leftBehind }).toEqual({ exitCode: 6, stderr: '', leftBehind: [] });
    expect(stdout).toContain('mara closes the pull request without a merge');
    expect(stdout).toContain('Recorded as rejected; the branch is deleted, the issue stays open.');
    expect(stdout).not.toContain('merged by');
  });

  it(
    'red-baseline names the command, shows its tail, changes nothing, and ends with 4',
    { timeout: WHOLE_RUN },
    async () => {
      const { exitCode, stdout, stderr, leftBehind } = await runCli(['demo', '--scenario', 'red-baseline']);
      expect({ exitCode, stderr, leftBehind }).toEqual({ exitCode: 4, stderr: '', leftBehind: [] });
      expect(stdout).toContain('npm test: failed (18 passed, 1 failed)');
      expect(stdout).toContain('"npm test" fails on the untouched tree (1 failing test). Nothing was changed.');
      expect(stdout).toContain('✖ projects prices');
      expect(stdout).toContain('/9\\.91 EUR/');
      expect(stdout).toContain('Nothing was merged, and no pull request was opened.');
      expect(stdout).not.toContain('kept as');
    },
  );

  it('nothing-to-do says so and ends with 3, without bubblewrap too', { timeout: WHOLE_RUN }, async () => {
    const { exitCode, stdout, stderr, leftBehind } = await runCli(['demo', '--scenario', 'nothing-to-do'], {
      prefix: withBrokenBubblewrap,
    });
    expect({ exitCode, stderr, leftBehind }).toEqual({ exitCode: 3, stderr: '', leftBehind: [] });
    expect(stdout).toMatch(/sandbox: NONE; good enough for the bundled sample only\. .*bubblewrap/);
    expect(stdout).toContain('Nothing to do: nothing measured is beyond its limit.');
    expect(stdout).toContain('Nothing was changed, and no pull request was opened.');
  });
});

describe('demo, interrupted', () => {
  it('stops what runs and leaves nothing behind', { timeout: WHOLE_RUN }, async () => {
    const told = await runCli(['demo', '--auto'], { interruptAt: 'proving that the repository is green' });
    expect(told).toMatchObject({ exitCode: 130, stderr: '', leftBehind: [] });
    expect(told.stdout.trimEnd()).toMatch(/Interrupted: stopping what runs and tidying up\.$/);
  });
});

describe('what the demo refuses', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'demo-sources-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    [['demo', '--scenario', 'dance'], 'There is no scenario "dance".'],
    [['demo', '--fast'], "Unknown option '--fast'"],
    [['demo', 'one', 'two'], 'Name one repository.'],
    [['demo', '--scenario', 'crash', 'one'], 'The scenario "crash" is made for the sample; leave the repository out.'],
  ])('%j is wrong usage: 2, with the usage', async (args, words) => {
    const { exitCode, stdout, stderr, leftBehind } = await runCli(args);
    expect({ exitCode, stdout, leftBehind }).toEqual({ exitCode: 2, stdout: '', leftBehind: [] });
    expect(stderr).toContain(words);
    expect(stderr).toContain('Usage: npm run demo -- [--auto]');
  });

  it('a command that does not exist: 2, with the commands', async () => {
    const { exitCode, stderr } = await runCli(['dance']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/There is no command "dance"\.\n\nrefactor-bot <command>/);
  });

  it('a folder that is not there, and one without a repository: 5, with what to do', async () => {
    const missing = await runCli(['demo', '--unsandboxed', path.join(folder, 'missing')]);
    expect(missing).toMatchObject({ exitCode: 5, leftBehind: [] });
    expect(missing.stderr).toMatch(/^There is no folder .+\. Name the folder of a git repository\.$/);

    await writeFile(path.join(folder, 'notes.txt'), 'no repository here');
    const plain = await runCli(['demo', '--unsandboxed', folder]);
    expect(plain).toMatchObject({ exitCode: 5, leftBehind: [] });
    expect(plain.stderr).toContain('is not a git repository. Run "git init" in it and commit, or name another folder.');
  });

  it('a repository without a commit: 5', async () => {
    const empty = await makeRepository(path.join(folder, 'empty'), {});
    const { exitCode, stderr, leftBehind } = await runCli(['demo', '--unsandboxed', empty]);
    expect({ exitCode, leftBehind }).toEqual({ exitCode: 5, leftBehind: [] });
    expect(stderr).toContain('has no commit yet. Commit something, then try again.');
  });

  it('the code of others where there is no sandbox: 5, with the line that installs one and the way to insist', async () => {
    const foreign = await makeRepository(path.join(folder, 'foreign'), { 'package.json': '{}' });
    const { exitCode, stderr, leftBehind } = await runCli(['demo', '--auto', foreign], { prefix: withoutBubblewrap });
    expect({ exitCode, leftBehind }).toEqual({ exitCode: 5, leftBehind: [] });
    expect(stderr).toContain('is not run without a sandbox.');
    expect(stderr).toContain('apt-get install bubblewrap');
    expect(stderr).toContain('--unsandboxed');
  });
});
