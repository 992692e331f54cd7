import type { CodeIndex } from '../domain/code-index.ts';
import type { RunContext } from './run-context.ts';
import type { TreeId } from '../domain/ids.ts';
import { buildCodeIndex } from './indexing/build-code-index.ts';

type Needs = Pick<RunContext, 'git' | 'options' | 'cache' | 'baseCommit'>;

/** The index of a tree with the history of the run's base. Only changed blobs are parsed. */
export async function indexTree(tree: TreeId, context: Needs): Promise<CodeIndex> {
  const churn = await context.git.churn(context.baseCommit);
  return buildCodeIndex({ git: context.git, tree, limits: context.options.limits, churn, cache: context.cache });
}

/** What can be said of a tree without its history. */
export async function measureTree(tree: TreeId, context: Needs): Promise<Pick<CodeIndex, 'figures' | 'skipped'>> {
  const { git, options, cache } = context;
  const { figures, skipped } = await buildCodeIndex({ git, tree, limits: options.limits, churn: {}, cache });
  return { figures, skipped };
}
