import { readMergeability } from '../actions/read-mergeability.ts';
import { diffFiles, emptyTree } from '../git/diff.ts';
import type { FileDiff } from '../git/diff.ts';
import { readCommit, readCommits, readObject, readTree } from '../git/objects.ts';
import type { Commit } from '../git/objects.ts';
import { branchSha, commitsBetween, resolveCommit } from '../git/refs.ts';
import type { PullRequest, Repository } from '../state/records.ts';
import { pullRange } from '../views/pull-view.ts';
import type { PullFacts } from './pages/pull-page.ts';
import type { TreeFacts } from './pages/tree-page.ts';
import type { RepositoryView } from './view.ts';

/** Splits `feature/x/src/a.ts` into the longest name that is a branch, tag or commit, and the path after it. */
async function splitPlace(
  repository: Repository,
  place: string,
): Promise<{ ref: string; sha: string; path: string } | null> {
  const segments = place.split('/').filter(Boolean);
  for (let length = segments.length; length > 0; length -= 1) {
    const ref = segments.slice(0, length).join('/');
    const sha = await resolveCommit(repository.directory, ref);
    if (sha !== null) return { ref, sha, path: segments.slice(length).join('/') };
  }
  return null;
}

export async function readTreeFacts(repository: Repository, place: string): Promise<TreeFacts | null> {
  const { directory } = repository;
  const found = await splitPlace(repository, place);
  if (found === null) return null;
  const { ref, sha, path } = found;
  const [latest, entries] = await Promise.all([readCommit(directory, sha), readTree(directory, `${sha}:${path}`)]);
  if (latest === null || entries === null) return null;
  const readmeEntry = entries.find((entry) => entry.type === 'blob' && /^readme(?:\.md)?$/iu.test(entry.path));
  const readme = readmeEntry ? await readObject(directory, readmeEntry.sha) : null;
  return { ref, path, latest, entries, readme: readme?.content.toString('utf8') ?? null };
}

export async function readBlobFacts(
  repository: Repository,
  place: string,
): Promise<(Pick<TreeFacts, 'ref' | 'path'> & { content: Buffer }) | null> {
  const found = await splitPlace(repository, place);
  if (found === null) return null;
  const object = await readObject(repository.directory, `${found.sha}:${found.path}`);
  return object?.type === 'blob' ? { ref: found.ref, path: found.path, content: object.content } : null;
}

export async function readCommitFacts(
  { directory }: Repository,
  name: string,
): Promise<{ commit: Commit; files: FileDiff[] } | null> {
  const sha = await resolveCommit(directory, name);
  const commit = sha === null ? null : await readCommit(directory, sha);
  if (commit === null) return null;
  return { commit, files: await diffFiles(directory, commit.parents[0] ?? emptyTree, commit.sha) };
}

export async function readPullFacts({ repository }: RepositoryView, request: PullRequest): Promise<PullFacts> {
  const [changes, branch, mergeable] = await Promise.all([
    readChanges(repository, request),
    branchSha(repository.directory, request.pull.head.ref),
    readMergeability(repository, request),
  ]);
  return { ...changes, headBranchExists: branch !== null, mergeable };
}

type Changes = Pick<PullFacts, 'commits' | 'files'>;

/** An open page asks every other second, and between two commits nothing ever changes. */
const lastChanges = new WeakMap<PullRequest, { readonly range: string; readonly changes: Promise<Changes> }>();

async function readChanges(repository: Repository, request: PullRequest): Promise<Changes> {
  const { base, head } = request.pull;
  const range = `${base.sha}...${head.sha}`;
  const last = lastChanges.get(request);
  if (last?.range === range) return last.changes;
  const changes = diffPull(repository, request);
  lastChanges.set(request, { range, changes });
  // What failed is tried again by the next reader.
  changes.catch(() => lastChanges.delete(request));
  return changes;
}

async function diffPull(repository: Repository, request: PullRequest): Promise<Changes> {
  const { directory } = repository;
  const { excluded, head } = await pullRange(repository, request);
  const [shas, files] = await Promise.all([
    commitsBetween(directory, excluded, head),
    diffFiles(directory, excluded, head),
  ]);
  // Oldest first, as a story is told.
  return { commits: await readCommits(directory, shas.toReversed()), files };
}
