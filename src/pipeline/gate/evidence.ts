import type { Batch } from '../../domain/plan.ts';
import type { DiffStat, Patch, Rejection } from '../../domain/patch.ts';
import type { GitRepository } from '../../git/git-repository.ts';
import { parseDiff, type DiffFile, type ParsedDiff } from '../../git/parse-diff.ts';
import type { RunOptions } from '../../domain/options.ts';
import type { TreeId } from '../../domain/ids.ts';

export type GateOptions = Pick<RunOptions, 'scopeIncludes' | 'scopeExcludes' | 'protectedPaths'>;

export interface ReviewRequest {
  readonly patch: Patch;
  readonly batch: Batch;
  readonly options: GateOptions;
  /** The tree the patch must apply to. */
  readonly base: TreeId;
  readonly git: Pick<GitRepository, 'apply' | 'diff' | 'readBlobs'>;
}

/** What the rules judge: the proposal as it is written, and what git makes of it. */
export interface Evidence {
  readonly patch: Patch;
  readonly batch: Batch;
  readonly options: GateOptions;
  readonly proposed: ParsedDiff;
  readonly applied: { readonly tree: TreeId; readonly stat: DiffStat } | null;
  /** git's words; null when the patch applies. */
  readonly applyProblem: string | null;
  /** The files as git's own diff of the result has them; as proposed when there is no result. */
  readonly files: readonly DiffFile[];
  /** Every path that the proposal or the result names. */
  readonly paths: readonly string[];
  /** Contents of touched text files by path, before and after; a file that is not there or not text is missing. */
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

/** One rule: every reason it has, the rule's name added by the table. */
export type GateCheck = (evidence: Evidence) => readonly Omit<Rejection, 'rule'>[];

/** Applies the patch in memory of git and reads both sides of what changed. Never throws on what the patch says. */
export async function gatherEvidence({ patch, batch, options, base, git }: ReviewRequest): Promise<Evidence> {
  const proposed = parseDiff(patch.diff);
  const given = { patch, batch, options, proposed };
  const tooLarge = proposed.problems.find((problem) => problem.kind === 'too-large');
  const result = tooLarge === undefined ? await git.apply(base, patch.diff) : { problem: tooLarge.message };
  if ('problem' in result) {
    const { files } = proposed;
    const paths = pathsOf(files);
    return { ...given, applied: null, applyProblem: result.problem, files, paths, before: new Map(), after: new Map() };
  }
  const { text, stat } = await git.diff(base, result.tree);
  const { files } = parseDiff(text);
  const blobs = await git.readBlobs(
    files.flatMap((file) => [textBlob(file, 'old') ?? [], textBlob(file, 'new') ?? []].flat()),
  );
  return {
    ...given,
    applied: { tree: result.tree, stat },
    applyProblem: null,
    files,
    paths: pathsOf([...proposed.files, ...files]),
    before: textsOf(files, 'old', blobs),
    after: textsOf(files, 'new', blobs),
  };
}

function pathsOf(files: readonly DiffFile[]): readonly string[] {
  return [...new Set(files.flatMap(({ oldPath, newPath }) => [oldPath ?? [], newPath ?? []].flat()))].sort();
}

type Side = 'old' | 'new';

const SUBMODULE = '160000';

/** Null for a side that is not there or has no text: a binary file, a submodule (its id is no blob). */
function textBlob(file: DiffFile, side: Side): string | null {
  const mode = side === 'old' ? file.oldMode : file.newMode;
  const exists = (side === 'old' ? file.oldPath : file.newPath) !== null;
  return exists && !file.binary && mode !== SUBMODULE ? (side === 'old' ? file.oldBlob : file.newBlob) : null;
}

function textsOf(
  files: readonly DiffFile[],
  side: Side,
  blobs: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const file of files) {
    const path = side === 'old' ? file.oldPath : file.newPath;
    const bytes = blobs.get(textBlob(file, side) ?? '');
    if (path !== null && bytes !== undefined) texts.set(path, new TextDecoder().decode(bytes));
  }
  return texts;
}
