import type { CommitId } from '../domain/ids.ts';
import type { Ports } from './ports.ts';
import { BotError } from '../domain/errors.ts';
import { pushedCommit, type RunView } from '../domain/run-view.ts';

type Needs = Pick<Ports, 'repositories'>;

/**
 * Does what pushes to the work branch. A lease that does not hold is a race worth another try only while the branch is where the
 * ledger left it: one that a person moved or deleted will not come back, so the run ends with words.
 */
export async function pushToOwnBranch<Result>(
  push: () => Promise<Result>,
  view: RunView,
  ports: Needs,
): Promise<Result> {
  try {
    return await push();
  } catch (thrown) {
    if (thrown instanceof BotError && thrown.code === 'push-raced') await requireOwnBranch(view, ports);
    throw thrown;
  }
}

/** Throws `branch-moved` or `branch-gone` unless the work branch on the code host is where the ledger says. */
export async function requireOwnBranch(view: RunView, ports: Needs): Promise<void> {
  const head = await headOnHost(view, ports);
  const expected = pushedCommit(view);
  if (head === expected) return;
  if (head === null) {
    throw new BotError(
      'branch-gone',
      `The branch ${view.branch ?? ''} was deleted while the run was at work. Ask again for a new run.`,
    );
  }
  const wanted = expected === null ? 'does not exist' : `is at ${expected.slice(0, 10)}`;
  throw new BotError(
    'branch-moved',
    `Somebody else pushed to the branch ${view.branch ?? ''}: it is at ${head.slice(0, 10)}, the run knows one that ${wanted}. Nothing was overwritten; ask again for a new run.`,
  );
}

/** Deletes the work branch unless it holds what the bot did not push; `merged` is a head that is known to be merged. */
export async function deleteOwnBranch(view: RunView, ports: Needs, merged: string | null = null): Promise<void> {
  const head = await headOnHost(view, ports);
  if (view.branch === null || head === null || (head !== pushedCommit(view) && head !== merged)) return;
  await ports.repositories.deleteBranch(view.request.repository, view.branch);
}

async function headOnHost(view: RunView, ports: Needs): Promise<CommitId | null> {
  return view.branch === null ? null : ports.repositories.branchHead(view.request.repository, view.branch);
}
