import { batchIdFor, sha256, type CommitId, type PlanHash } from '../../domain/ids.ts';
import type { Batch, LeftOut, MechanicalOperation, Operation, Plan } from '../../domain/plan.ts';
import type { Candidate, Declined, Detection } from '../../operations/operations.ts';
import type { Finding, FindingRule } from '../../domain/finding.ts';
import type { RunOptions } from '../../domain/options.ts';
import { orderBatches } from './order-batches.ts';
import { escapeGlob } from '../../domain/globs.ts';

export interface PlanInput {
  readonly baseCommit: CommitId;
  readonly request: string;
  readonly findings: readonly Finding[];
  readonly detection: Detection;
  readonly options: RunOptions;
  /** Files in other open pull requests: left for later. */
  readonly busyFiles: ReadonlySet<string>;
}

/** Which finding an operation answers, what it is called to the reader, and how risky it is. */
const ANSWERS: Readonly<
  Record<MechanicalOperation, { readonly rule: FindingRule; readonly operation: Operation; readonly risk: number }>
> = {
  'remove-unused-imports': { rule: 'unused-import', operation: 'organize-imports', risk: 5 },
  'remove-unused-declarations': { rule: 'unused-declaration', operation: 'remove-dead-code', risk: 10 },
  'split-types': { rule: 'file-too-long', operation: 'split-module', risk: 15 },
};

/** Findings and what the operations can do about them, as an ordered plan. Pure: same input, same plan, same hash. */
export function draftPlan(input: PlanInput): Plan {
  const busy = (files: readonly string[]) => files.some((file) => input.busyFiles.has(file));
  const usable = input.detection.candidates.filter(
    (candidate) => !busy(candidate.files) && candidate.diffLines <= input.options.diffBudgetLines,
  );
  const drafts = usable.flatMap((candidate) => toDraft(candidate, input));
  const batches = orderBatches(drafts)
    .slice(0, input.options.maxBatches)
    .map((draft, index): Batch => ({ ...draft, id: batchIdFor(index + 1), dependsOn: [] }));
  const answered = new Set(batches.flatMap((batch) => batch.findings));
  const leftOut = input.findings
    .filter((finding) => !answered.has(finding))
    .map((finding): LeftOut => ({ finding, reason: whyLeftOut(finding, input) }));
  const plan = { baseCommit: input.baseCommit, request: input.request, batches, leftOut };
  return { ...plan, hash: planHash(plan) };
}

function toDraft(candidate: Candidate, input: PlanInput): Omit<Batch, 'id' | 'dependsOn'>[] {
  const answer = ANSWERS[candidate.recipe.operation];
  const findings = input.findings.filter(
    (finding) => finding.rule === answer.rule && candidate.recipe.files.includes(finding.path),
  );
  // An operation may see more than the index measures; without a measured finding nothing could show that it helped.
  if (findings.length === 0) return [];
  return [
    {
      goal: candidate.goal,
      scope: candidate.files.map(escapeGlob),
      operations: [answer.operation],
      // Room for a formatter's line breaks; the author cannot choose it.
      diffBudgetLines: Math.min(input.options.diffBudgetLines, Math.ceil(candidate.diffLines * 1.2) + 20),
      risk: answer.risk,
      verifier: 'fast',
      findings,
      improves: [...new Set(findings.map((finding) => finding.figure))],
      recipe: candidate.recipe,
    },
  ];
}

function whyLeftOut(finding: Finding, input: PlanInput): string {
  if (input.busyFiles.has(finding.path)) return 'the file is in another open pull request';
  const operation = Object.entries(ANSWERS).find(([, answer]) => answer.rule === finding.rule)?.[0];
  if (operation === undefined) return 'needs judgement: no mechanical operation answers it';
  if (!input.options.operations.some((allowed) => allowed === operation))
    return `the operation ${operation} is switched off`;
  const candidate = input.detection.candidates.find(
    (entry) => entry.recipe.operation === operation && entry.recipe.files.includes(finding.path),
  );
  if (candidate !== undefined) return whyUnused(candidate, input);
  const declined = input.detection.declined.filter(
    (entry) => entry.operation === operation && entry.path === finding.path,
  );
  return declined.length === 0 ? 'no mechanical operation fits' : declined.map(describeDecline).join('; ');
}

function whyUnused(candidate: Candidate, input: PlanInput): string {
  if (candidate.files.some((file) => input.busyFiles.has(file))) return 'the file is in another open pull request';
  const budget = input.options.diffBudgetLines;
  if (candidate.diffLines > budget) return `${candidate.diffLines} changed lines are over the diff budget of ${budget}`;
  return `over the cap of ${input.options.maxBatches} batches`;
}

/** `augmented-interface: RenderOptions (src/plugin.d.ts augments it)`. */
function describeDecline(declined: Declined): string {
  const names = declined.symbols.slice(0, 5).join(', ');
  return `${declined.reason}: ${[names, declined.detail].filter((part) => part !== '').join(' — ')}`;
}

/**
 * What an approval is bound to: batches with their budgets, base commit, request. A plan that was edited has another hash; what was
 * left out, and in which order an object has its keys, does not matter.
 */
function planHash(plan: Omit<Plan, 'hash'>): PlanHash {
  const bound = { baseCommit: plan.baseCommit, request: plan.request, batches: plan.batches };
  return sha256(JSON.stringify(bound, sortKeys)).slice(0, 10) as PlanHash;
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
