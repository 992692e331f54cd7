import type { CodeIndex } from '../domain/code-index.ts';
import type { Figures } from '../domain/figures.ts';
import type { RunContext } from './run-context.ts';
import type { TreeId } from '../domain/ids.ts';
import { buildCodeIndex } from './indexing/build-code-index.ts';

type Needs = Pick<RunContext, 'git' | 'options' | 'cache' | 'baseCommit'>;

/** The index of a tree with the history of the run's base. Only changed blobs are parsed. */
export async function indexTree(tree: TreeId, context: Needs): Promise<CodeIndex> {
  const churn = await context.git.churn(context.baseCommit);
  return buildCodeIndex({ git: context.git, tree, limits: context.options.limits, churn, cache: context.cache });
}

export async function measureTree(tree: TreeId, context: Needs): Promise<Figures> {
  const index = await buildCodeIndex({
    git: context.git,
    tree,
    limits: context.options.limits,
    churn: {},
    cache: context.cache,
  });
  return index.figures;
}
