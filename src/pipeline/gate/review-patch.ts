import { BotError } from '../../domain/errors.ts';
import { GATE_RULES, type GateRule, type Review } from '../../domain/patch.ts';
import { gatherEvidence, type GateCheck, type ReviewRequest } from './evidence.ts';
import { GATE } from './gate.ts';

/** More reasons than this help nobody to mend a patch. */
const MAX_REJECTIONS = 50;

/**
 * Runs every rule over a patch and over what applying it really gives; answers the resulting tree or every reason at once. Whatever
 * the text is, it answers; it throws only when git itself fails. `gate` is there for the tests that leave out a rule.
 */
export async function reviewPatch(
  request: ReviewRequest,
  gate: Readonly<Partial<Record<GateRule, GateCheck>>> = GATE,
): Promise<Review> {
  const evidence = await gatherEvidence(request);
  const rejections = GATE_RULES.flatMap((rule) => (gate[rule]?.(evidence) ?? []).map((found) => ({ rule, ...found })));
  if (rejections.length > 0) return { accepted: false, rejections: rejections.slice(0, MAX_REJECTIONS) };
  if (evidence.applied === null) throw new BotError('invariant-broken', 'A patch without a result passed the gate.');
  return { accepted: true, ...evidence.applied };
}
