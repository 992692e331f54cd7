import type { GitRepository } from '../../git/git-repository.ts';
import type { RunOptions } from '../../domain/options.ts';
import type { Toolchain } from '../../domain/toolchain.ts';
import type { TreeId } from '../../domain/ids.ts';
import { detectToolchain, TOOLCHAIN_FILES } from './detect-toolchain.ts';

const MAX_BYTES = 8 * 1024 * 1024;

/** Detection over the texts of a tree, read from the object store. */
export async function readToolchain(request: {
  readonly git: Pick<GitRepository, 'listTree' | 'readBlobs'>;
  readonly tree: TreeId;
  readonly options: RunOptions;
}): Promise<Toolchain> {
  const wanted = new Set<string>(TOOLCHAIN_FILES);
  const entries = (await request.git.listTree(request.tree)).filter(
    (entry) => wanted.has(entry.path) && entry.mode.startsWith('100') && (entry.size ?? 0) <= MAX_BYTES,
  );
  const blobs = await request.git.readBlobs(entries.map((entry) => entry.oid));
  const decoder = new TextDecoder();
  const texts = new Map(entries.map((entry) => [entry.path, decoder.decode(blobs.get(entry.oid))]));
  return detectToolchain(texts, request.options);
}
