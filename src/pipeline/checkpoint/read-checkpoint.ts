import { z } from 'zod';
import type { BatchId, CommitId, RunId } from '../../domain/ids.ts';
import type { Checkpoint } from '../../domain/checkpoint.ts';
import { FIGURE_NAMES, type Figures } from '../../domain/figures.ts';
import type { GitRepository } from '../../git/git-repository.ts';
import { MECHANICAL_OPERATIONS, type Recipe } from '../../domain/plan.ts';
import { PROOF_NAMES, type Proof } from '../../domain/patch.ts';

/** What the trailers of a checkpoint's commit tell. */
export interface CheckpointTrailers {
  readonly run: RunId;
  readonly batch: BatchId;
  readonly attempt: number;
  readonly recipe: Recipe | null;
  readonly proofs: readonly Proof[];
  readonly figuresBefore: Figures;
  readonly figuresAfter: Figures;
}

/** Figures that a later version added count as none, so that old branches stay readable. */
const figuresSchema = z
  .record(z.string(), z.number())
  .transform((told) => Object.fromEntries(FIGURE_NAMES.map((name) => [name, told[name] ?? 0])) as unknown as Figures);

const proofSchema = z.object({ name: z.enum(PROOF_NAMES), held: z.boolean(), evidence: z.string() });

const recipeSchema = z.object({
  operation: z.enum(MECHANICAL_OPERATIONS),
  engine: z.string(),
  files: z.array(z.string()),
  inputs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
});

const trailersSchema = z.object({
  run: z.string().min(1),
  batch: z.string().regex(/^batch-\d{3,}$/),
  attempt: z.int().min(1),
  recipe: recipeSchema.nullable(),
  proofs: z.array(proofSchema),
  figures: z.object({ before: figuresSchema, after: figuresSchema }),
});

/** Null for a commit that is no checkpoint, or whose trailers somebody has changed. Only the last paragraph counts. */
export function parseCheckpointTrailers(message: string): CheckpointTrailers | null {
  const trailers = readTrailers(message);
  const one = (name: string) => trailers.get(name)?.at(-1);
  try {
    const told = trailersSchema.parse({
      run: one('Run'),
      batch: one('Batch'),
      attempt: Number(one('Attempt')),
      recipe: JSON.parse(one('Recipe') ?? 'null'),
      proofs: (trailers.get('Proof') ?? []).map((proof) => JSON.parse(proof) as unknown),
      figures: JSON.parse(one('Figures') ?? 'null'),
    });
    const { attempt, recipe, proofs, figures } = told;
    const ids = { run: told.run as RunId, batch: told.batch as BatchId };
    return { ...ids, attempt, recipe, proofs, figuresBefore: figures.before, figuresAfter: figures.after };
  } catch {
    return null;
  }
}

function readTrailers(message: string): ReadonlyMap<string, readonly string[]> {
  const last = message.trimEnd().split(/\n\n+/).at(-1) ?? '';
  const trailers = new Map<string, string[]>();
  for (const [, name = '', value = ''] of last.matchAll(/^Refactor-(\w+): (.*)$/gm)) {
    trailers.set(name, [...(trailers.get(name) ?? []), value]);
  }
  return trailers;
}

/** The checkpoints of a run between two commits, oldest first: git alone is enough to go on. Other commits are passed over. */
export async function readCheckpoints(
  git: Pick<GitRepository, 'listCommits' | 'treeOf' | 'diff'>,
  range: { readonly run: RunId; readonly base: CommitId; readonly head: CommitId },
): Promise<readonly Checkpoint[]> {
  const checkpoints: Checkpoint[] = [];
  let parentTree = await git.treeOf(range.base);
  for (const { commit, tree, message } of await git.listCommits(range)) {
    const told = parseCheckpointTrailers(message);
    if (told?.run === range.run) {
      const { stat } = await git.diff(parentTree, tree);
      const { batch, attempt, proofs, figuresBefore, figuresAfter } = told;
      checkpoints.push({ batch, commit, tree, attempt, stat, proofs, figuresBefore, figuresAfter });
    }
    parentTree = tree;
  }
  return checkpoints;
}
