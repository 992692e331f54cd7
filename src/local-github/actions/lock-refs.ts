import type { Repository } from '../state/records.ts';

const tails = new WeakMap<Repository, Promise<unknown>>();

/**
 * Runs one change of refs after the other in a repository, so that comparing refs before and after a push never sees
 * somebody else's change. Not to be nested.
 */
export async function lockRefs<Result>(repository: Repository, change: () => Promise<Result>): Promise<Result> {
  const previous = tails.get(repository) ?? Promise.resolve();
  const current = previous.then(change, change);
  tails.set(
    repository,
    current.catch(() => {}),
  );
  return current;
}
