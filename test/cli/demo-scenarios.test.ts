import { beforeAll, describe, expect, it } from 'vitest';
import { runCli, type Told } from './demo-process.ts';

// Whole runs on a machine that may have much else to do: guards against hanging, not promises.
const WHOLE_RUN = 570_000;

/** The lines about one batch while the run was at work, without their times. */
function storyOf(told: Told, batch: string): readonly string[] {
  const lines = told.stdout.slice(0, told.stdout.indexOf('\nPlan ')).split('\n');
  return lines.filter((line) => line.includes(`${batch} `)).map((line) => line.replace(/^ *\d+:\d\d +/, ''));
}

/** npm, when it is asked where it lies, keeps its compiled code for later in the folder for temporary files. */
function leftBehind(told: Told): readonly string[] {
  return told.leftBehind.filter((name) => name !== 'node-compile-cache');
}

function part(told: Told, head: string): string {
  return told.stdout.split(`\n${head}\n`)[1]?.split('\n\n')[0] ?? '';
}

describe('demo --scenario bad-patch', () => {
  let told: Told;
  beforeAll(async () => {
    told = await runCli(['demo', '--scenario', 'bad-patch']);
  }, WHOLE_RUN);

  it('keeps the third attempt of a batch, the first being out of scope and the second red', () => {
    expect(storyOf(told, 'batch-001')).toEqual([
      expect.stringMatching(/^batch-001 of 4: /),
      expect.stringMatching(/^batch-001 attempt 1 refused at review: out-of-scope \(src\/money\.ts\)/),
      expect.stringMatching(/^batch-001 attempt 2 refused at verify: npm test: /),
      expect.stringMatching(/^batch-001 kept as [0-9a-f]{10} \(\+0 −1\)$/),
    ]);
  });

  it('gives another batch exactly the attempts it has, and leaves nothing of it', () => {
    expect(storyOf(told, 'batch-002')).toEqual([
      expect.stringMatching(/^batch-002 of 4: /),
      expect.stringMatching(/^batch-002 attempt 1 refused at review: out-of-scope \(src\/labels\.ts\)/),
      expect.stringMatching(/^batch-002 attempt 2 refused at verify: npm test: /),
      expect.stringMatching(/^batch-002 attempt 3 refused at verify: npm test: /),
      expect.stringMatching(/^batch-002 failed: 3 of 3 attempts failed/),
    ]);
    // Of its file only what the first batch did; nothing of the files that it and the first batch reached for.
    expect(part(told, 'Diffstat')).toMatch(/src\/postcodes\.ts +\+0 +−1$/m);
    expect(part(told, 'Diffstat')).not.toMatch(/labels\.ts|money\.ts/);
  });

  it('keeps, merges and proves what passed', () => {
    expect(part(told, 'Commits').trim().split('\n')).toEqual([
      expect.stringContaining('remove 1 unused import from postcodes.ts'),
      expect.stringContaining('remove 2 unused declarations from quote.ts'),
      expect.stringContaining('move 20 type declarations of quote.ts to quote-types.ts'),
    ]);
    expect(told.stdout).toMatch(/Merged and improved/);
    expect(told).toMatchObject({ exitCode: 0, stderr: '' });
    expect(leftBehind(told)).toEqual([]);
  });
});

describe('demo --scenario crash', () => {
  let told: Told;
  beforeAll(async () => {
    told = await runCli(['demo', '--scenario', 'crash']);
  }, WHOLE_RUN);

  it('says that the bot is killed after its first commit, and by which process it goes on', () => {
    const kept = told.stdout.indexOf('batch-001 kept');
    const killed = told.stdout.indexOf('killed in the middle of its work (SIGKILL)');
    expect(kept).toBeGreaterThan(0);
    expect(killed).toBeGreaterThan(kept);
    expect(told.stdout.indexOf('batch-004 kept')).toBeGreaterThan(killed);
    const processes = /^Process (\d+) is gone; process (\d+) takes the run up at its last recorded step\.$/m.exec(
      told.stdout,
    );
    expect(processes?.[1]).not.toBe(processes?.[2]);
  });

  it('does nothing twice and ends as if nothing had happened', () => {
    for (const batch of ['batch-001', 'batch-002', 'batch-003', 'batch-004']) {
      expect(storyOf(told, batch), batch).toEqual([
        expect.stringMatching(/ of 4: /),
        expect.stringMatching(/ kept as [0-9a-f]{10} /),
      ]);
    }
    expect(part(told, 'Commits').trim().split('\n')).toHaveLength(4);
    expect(told.stdout).toMatch(/Merged and improved/);
    expect(told).toMatchObject({ exitCode: 0, stderr: '' });
    expect(leftBehind(told)).toEqual([]);
  });
});
