import { z } from 'zod';
import { BotError } from '../domain/errors.ts';
import { batchIdFor } from '../domain/ids.ts';
import type { Agent, AgentOutput, ProposalRequest } from './agent.ts';

const reason = z.string().min(1);
const recordedAnswer = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('patch'),
    diff: z.string(),
    rationale: z.string().default('A recorded answer.'),
    touchedFiles: z.array(z.string()),
    riskNotes: z.array(z.string()).default([]),
  }),
  z.strictObject({ kind: z.enum(['noop', 'blocked', 'failed']), reason }),
]);

const scriptSchema = z.strictObject({
  answers: z.array(
    z.strictObject({
      /** Ordinal in the plan, from 1. */
      batch: z.int().min(1),
      /** From 1. */
      attempt: z.int().min(1),
      answer: recordedAnswer,
    }),
  ),
});

export type ReplayScript = z.infer<typeof scriptSchema>;

/** A script as read from a file. Throws `config-invalid` with every problem and its place. */
export function parseReplayScript(text: string): ReplayScript {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new BotError('config-invalid', 'The script of recorded answers is not JSON. Correct it.', { cause });
  }
  const parsed = scriptSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new BotError(
    'config-invalid',
    `The script of recorded answers is not valid:\n${z.prettifyError(parsed.error)}`,
  );
}

/** Gives recorded answers, so that gate, retry and rewind can be exercised; what is not recorded is the fallback's to answer. */
export function createReplayAgent(options: { readonly script: ReplayScript; readonly fallback: Agent }): Agent {
  return {
    name: 'replay',
    async propose(request, signal) {
      signal.throwIfAborted();
      const recorded = options.script.answers.find(
        ({ batch, attempt }) => batchIdFor(batch) === request.batch.id && attempt === request.attempt,
      );
      return recorded === undefined ? options.fallback.propose(request, signal) : toOutput(request, recorded.answer);
    },
  };
}

function toOutput(request: ProposalRequest, answer: z.infer<typeof recordedAnswer>): AgentOutput {
  if (answer.kind !== 'patch') return answer;
  const { diff, rationale, touchedFiles, riskNotes } = answer;
  const patch = { batch: request.batch.id, author: 'replay', diff, rationale, riskNotes, touchedFiles };
  return { kind: 'patch', patch: { ...patch, proofs: [], recipe: null } };
}
