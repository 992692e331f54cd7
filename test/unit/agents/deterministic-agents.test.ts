import { expect, it } from 'vitest';
import { createMechanicalAgent } from '../../../src/agents/mechanical-agent.ts';
import { createReplayAgent, parseReplayScript } from '../../../src/agents/replay-agent.ts';
import { batchIdFor } from '../../../src/domain/ids.ts';
import { samplePlan } from '../../support/sample-run.ts';
import type { Agent, AgentOutput, ProposalRequest } from '../../../src/agents/agent.ts';
import type { Application, Operations } from '../../../src/operations/operations.ts';
import type { Recipe } from '../../../src/domain/plan.ts';

const recipe: Recipe = {
  operation: 'split-types',
  engine: 'e',
  files: ['a.ts'],
  inputs: { names: ['T'], target: 'a-types.ts' },
};
const signal = new AbortController().signal;

function ask(batch: number, change: { attempt?: number; recipe?: Recipe | null } = {}): ProposalRequest {
  const planned = samplePlan(batch).batches[batch - 1]!;
  const options = { limits: { checkMs: 1000 } };
  const request = { batch: { ...planned, recipe: change.recipe ?? null }, attempt: change.attempt ?? 1, options };
  return request as unknown as ProposalRequest;
}

function answering(application: Application): Agent {
  const operations: Operations = {
    apply: (given) => Promise.resolve(given === recipe ? application : Promise.reject(new Error('another recipe'))),
    detect: () => Promise.reject(new Error('not asked')),
  };
  return createMechanicalAgent({ operations });
}

it('turns an applied recipe into a patch with its proofs', async () => {
  const proofs = [{ name: 'cycles-not-up', held: true, evidence: '0 to 0' }] as const;
  const agent = answering({ kind: 'patch', diff: 'diff\n', touchedFiles: ['a.ts'], proofs });
  expect(await agent.propose(ask(1, { recipe }), signal)).toEqual({
    kind: 'patch',
    patch: {
      batch: batchIdFor(1),
      author: 'mechanical',
      diff: 'diff\n',
      rationale: 'Goal 1. 1 proof holds.',
      riskNotes: [],
      touchedFiles: ['a.ts'],
      proofs,
      recipe,
    },
  });
});

it.each([
  ['no-change', 'noop'],
  ['too-little-to-move', 'noop'],
  ['new-diagnostics', 'blocked'],
] as const)('answers %s with %s', async (reason, kind) => {
  const declined = { operation: recipe.operation, path: 'a.ts', symbols: [], reason, detail: 'so it is' };
  const output = await answering({ kind: 'declined', declined }).propose(ask(1, { recipe }), signal);
  expect(output).toEqual({ kind, reason: `${reason}: a.ts: so it is` });
});

it('blocks a batch that no mechanical operation fits', async () => {
  const output = await answering({ kind: 'patch', diff: '', touchedFiles: [], proofs: [] }).propose(ask(1), signal);
  expect(output).toMatchObject({ kind: 'blocked' });
});

it('replays by batch and attempt, and leaves the rest to the fallback', async () => {
  const script = parseReplayScript(
    JSON.stringify({
      answers: [
        { batch: 1, attempt: 1, answer: { kind: 'patch', diff: 'd\n', touchedFiles: ['x.ts'] } },
        { batch: 1, attempt: 2, answer: { kind: 'blocked', reason: 'no' } },
      ],
    }),
  );
  const fallenBack: AgentOutput = { kind: 'noop', reason: 'fallback' };
  const agent = createReplayAgent({
    script,
    fallback: { name: 'mechanical', propose: () => Promise.resolve(fallenBack) },
  });
  expect(await agent.propose(ask(1), signal)).toMatchObject({
    kind: 'patch',
    patch: { author: 'replay', diff: 'd\n', recipe: null },
  });
  expect(await agent.propose(ask(1, { attempt: 2 }), signal)).toEqual({ kind: 'blocked', reason: 'no' });
  expect(await agent.propose(ask(1, { attempt: 3 }), signal)).toEqual(fallenBack);
  expect(await agent.propose(ask(2), signal)).toEqual(fallenBack);
  await expect(agent.propose(ask(1), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});

it.each(['{', '{"answers":[{"batch":0,"attempt":1,"answer":{"kind":"noop","reason":"x"}}]}', '{"answer":[]}'])(
  'refuses the script %s',
  (text) => {
    expect(() => parseReplayScript(text)).toThrow(expect.objectContaining({ code: 'config-invalid' }));
  },
);
