import { diffText, patchText } from '../git/diff.ts';
import type { Reply, RepositoryCall } from './route.ts';

/** The answer to `Accept: application/vnd.github.diff` or `.patch`; null when JSON is wanted. */
export async function rawDiff(call: RepositoryCall, before: string, after: string): Promise<Reply | null> {
  const kind = /application\/vnd\.github(?:\.v3)?\.(diff|patch)/.exec(call.accept)?.[1];
  if (kind === undefined) return null;
  const { directory } = call.repository;
  const content =
    kind === 'diff' ? await diffText(directory, before, after) : await patchText(directory, before, after);
  return { status: 200, raw: { content, type: `application/vnd.github.${kind}; charset=utf-8` } };
}
