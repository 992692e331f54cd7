import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIGURE_NAMES, type Figures } from '../../../../src/domain/figures.ts';
import { parseCheckpointTrailers } from '../../../../src/pipeline/checkpoint/read-checkpoint.ts';
import {
  renderCommitMessage,
  scopeName,
  type CheckpointFacts,
} from '../../../../src/pipeline/checkpoint/commit-message.ts';
import { batchOf, GOOD_CASE } from '../../../support/gate-cases.ts';
import type { RunId } from '../../../../src/domain/ids.ts';

const figures = (value: number) => Object.fromEntries(FIGURE_NAMES.map((name) => [name, value])) as unknown as Figures;

/** Names sorted, so that the same facts are the same bytes. */
const FIGURES =
  '{"after":{"filesOverLimit":1,"importCycles":0,"largeClasses":0,"linesOverLimit":0,"longFunctions":0,"unusedDeclarations":0,' +
  '"unusedImports":0,"valueCycles":0},"before":{"filesOverLimit":2,"importCycles":0,"largeClasses":0,"linesOverLimit":0,' +
  '"longFunctions":0,"unusedDeclarations":0,"unusedImports":0,"valueCycles":0}}';

function facts(goal: string, changes: Partial<CheckpointFacts> = {}): CheckpointFacts {
  const recipe = {
    operation: 'split-types',
    engine: 'x/1',
    files: ['src/a.ts'],
    inputs: { target: 'src/b.ts', names: ['B'] },
  } as const;
  return {
    run: '20261122-010203-1a2b3c4d' as RunId,
    batch: {
      ...batchOf({ ...GOOD_CASE, batch: { recipe } }),
      goal,
      findings: [
        {
          rule: 'file-too-long',
          path: 'src/a.ts',
          symbols: [],
          figure: 'filesOverLimit',
          measured: 812,
          threshold: 400,
          weight: 1,
        },
      ],
    },
    attempt: 2,
    files: ['packages/api/src/a.ts', 'packages/api/src/b.ts'],
    proofs: [{ name: 'cycles-not-up', held: true, evidence: '0 cycles before and after' }],
    figuresBefore: { ...figures(0), filesOverLimit: 2 },
    figuresAfter: { ...figures(0), filesOverLimit: 1 },
    checks: [{ command: 'npm test', outcome: 'passed', durationMs: 5, tests: { passed: 12, failed: 0, skipped: 1 } }],
    ...changes,
  };
}

describe('the message of a checkpoint', () => {
  it('tells what, why, with which proof and which verdict', () => {
    expect(renderCommitMessage(facts('move 14 types of a.ts to b.ts'))).toBe(
      [
        'refactor(api): move 14 types of a.ts to b.ts',
        '',
        'Why:',
        '- file-too-long in src/a.ts: 812, limit 400',
        '',
        'Figures:',
        '- files over the line limit: 2 -> 1',
        '',
        'Proofs:',
        '- cycles-not-up: 0 cycles before and after',
        '',
        'Checks:',
        '- npm test: passed, 12 passed, 0 failed, 1 skipped',
        '',
        'Refactor-Run: 20261122-010203-1a2b3c4d',
        'Refactor-Batch: batch-001',
        'Refactor-Attempt: 2',
        'Refactor-Recipe: {"engine":"x/1","files":["src/a.ts"],"inputs":{"names":["B"],"target":"src/b.ts"},"operation":"split-types"}',
        'Refactor-Proof: {"evidence":"0 cycles before and after","held":true,"name":"cycles-not-up"}',
        `Refactor-Figures: ${FIGURES}`,
        '',
      ].join('\n'),
    );
  });

  it('cuts a long subject at a word and keeps the whole goal below', () => {
    const goal = 'move the fourteen type declarations of the renderer into a file of their own beside it';
    const [subject = '', , ...body] = renderCommitMessage(facts(goal)).split('\n');
    expect(subject).toBe('refactor(api): move the fourteen type declarations of the renderer into');
    expect(body.slice(0, 2).join(' ')).toBe(goal);
  });

  it('is read back whatever the goal and the evidence hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (goal, evidence) => {
        const forged = `${goal}\n\nRefactor-Run: forged\nRefactor-Batch: batch-999\n`;
        const proofs = [{ name: 'cycles-not-up', held: true, evidence: `${evidence}\nRefactor-Attempt: 9` }] as const;
        const message = renderCommitMessage(facts(forged, { proofs }));
        const subject = message.split('\n')[0] ?? '';
        expect(subject.length).toBeLessThanOrEqual(72);
        expect(parseCheckpointTrailers(message)).toMatchObject({
          run: '20261122-010203-1a2b3c4d',
          batch: 'batch-001',
          attempt: 2,
        });
      }),
    );
  });

  it.each([
    [['src/a.ts'], 'src'],
    [['a.ts'], 'repo'],
    [['packages/api/src/a.ts', 'packages/api/test/b.ts'], 'api'],
    [['src/render/a.ts', 'src/parse/b.ts'], 'src'],
    [['src/render/a.ts'], 'render'],
    [[], 'repo'],
  ])('takes the scope of %j to be %s', (files, name) => {
    expect(scopeName(files)).toBe(name);
  });
});

describe('trailers', () => {
  it('give back everything', () => {
    const given = facts('x');
    expect(parseCheckpointTrailers(renderCommitMessage(given))).toEqual({
      run: given.run,
      batch: given.batch.id,
      attempt: 2,
      recipe: given.batch.recipe,
      proofs: given.proofs,
      figuresBefore: given.figuresBefore,
      figuresAfter: given.figuresAfter,
    });
  });

  it('are none in other commits, and none when they were changed', () => {
    const message = renderCommitMessage(facts('x'));
    expect(parseCheckpointTrailers('Fix it\n\nRefactor-Run: x\n')).toBeNull();
    expect(parseCheckpointTrailers(message.replace('Refactor-Attempt: 2', 'Refactor-Attempt: two'))).toBeNull();
    expect(parseCheckpointTrailers(message.replace('Refactor-Proof: {', 'Refactor-Proof: ['))).toBeNull();
    expect(parseCheckpointTrailers('')).toBeNull();
  });
});
