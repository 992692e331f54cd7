import type { LedgerEvent } from '../domain/ledger.ts';
import type { RunContext } from './run-context.ts';
import { headCommit, standingCheckpoints } from '../domain/run-view.ts';
import { measureTree } from './measure-tree.ts';
import { openPullRequest } from './delivery/open-pull-request.ts';
import { deleteOwnBranch, requireOwnBranch } from './own-branch.ts';
import { verifyBranch } from './verify-branch.ts';

/** Full verifier, last measurement, report, pull request. A run with nothing kept ends here and leaves no branch. */
export async function finalizeRun(context: RunContext): Promise<void> {
  await verifyBranch(context);
  const view = await context.view();
  const head = headCommit(view);
  if (standingCheckpoints(view).length === 0 || head === null) return endWithNothing(context);

  await context.steps.run('measure', async () => {
    const tree = await context.git.treeOf(head);
    const { stat } = await context.git.diff(context.baseTree, tree);
    const { figures } = await measureTree(tree, context);
    return { output: null, events: [{ type: 'measured', head, figures, stat }] };
  });
  await context.steps.run('pull-request', async () => {
    const measured = await context.view();
    await requireOwnBranch(measured, context.ports);
    const pull = await openPullRequest(measured, context.ports);
    return {
      output: null,
      events: [
        { type: 'pull-request-opened', number: pull.number, url: pull.url },
        { type: 'state-entered', state: 'in_review' },
      ],
    };
  });
}

async function endWithNothing(context: RunContext): Promise<void> {
  await context.steps.run('nothing-kept', async () => {
    const view = await context.view();
    // A branch exists when batches were pushed and then dropped.
    await deleteOwnBranch(view, context.ports);
    const events: LedgerEvent[] = [
      {
        type: 'completed',
        why: 'nothing-kept',
        message: `None of ${view.batches.length} batches passed, so nothing was changed. Each has its reason below.`,
      },
      { type: 'state-entered', state: 'completed' },
    ];
    return { output: null, events };
  });
}
