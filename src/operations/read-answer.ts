import { z } from 'zod';
import { BotError } from '../domain/errors.ts';
import { MECHANICAL_OPERATIONS } from '../domain/plan.ts';
import { PROOF_NAMES } from '../domain/patch.ts';
import { DECLINE_REASONS } from './operations.ts';
import { ANSWER_MARKER, type ProgramAnswer } from './protocol.ts';

const operation = z.enum(MECHANICAL_OPERATIONS);
const repositoryPath = z
  .string()
  .min(1)
  .max(1000)
  .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), 'must stay in the repository');
const line = z.string().max(2000);

const recipe = z.strictObject({
  operation,
  engine: line,
  files: z.array(repositoryPath).min(1),
  inputs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
});

const declined = z.strictObject({
  operation,
  path: z.string(),
  symbols: z.array(z.string()),
  reason: z.enum(DECLINE_REASONS),
  detail: line,
});

const candidate = z.strictObject({
  recipe,
  goal: line,
  files: z.array(repositoryPath).min(1),
  diffLines: z.int().min(0),
});

const application = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('patch'),
    diff: z.string().min(1),
    touchedFiles: z.array(repositoryPath).min(1),
    proofs: z.array(z.strictObject({ name: z.enum(PROOF_NAMES), held: z.boolean(), evidence: line })),
  }),
  z.strictObject({ kind: z.literal('declined'), declined }),
]);

const programAnswer = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('detection'),
    detection: z.strictObject({ engine: line, candidates: z.array(candidate), declined: z.array(declined) }),
  }),
  z.strictObject({ kind: z.literal('application'), application }),
  z.strictObject({ kind: z.literal('failed'), message: z.string() }),
]);

/** What the program printed, checked. It comes out of the sandbox, so it is not believed to be anything. Throws `output-invalid`. */
export function readAnswer(stdout: string): Exclude<ProgramAnswer, { kind: 'failed' }> {
  const at = stdout.lastIndexOf(ANSWER_MARKER);
  if (at === -1) throw invalid('it printed no answer', stdout.slice(-500));
  const parsed = programAnswer.safeParse(parseJson(stdout.slice(at + ANSWER_MARKER.length)));
  if (!parsed.success) throw invalid('its answer has another shape than agreed', z.prettifyError(parsed.error));
  if (parsed.data.kind === 'failed') throw invalid('it failed', parsed.data.message);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('its answer is not JSON, it may have been cut off', text.slice(-200));
  }
}

export function invalid(problem: string, evidence: string): BotError {
  return new BotError(
    'output-invalid',
    `The mechanical operations gave no usable answer: ${problem}. ${evidence.slice(0, 500)}`,
    {
      details: { evidence: evidence.slice(0, 4000) },
    },
  );
}
