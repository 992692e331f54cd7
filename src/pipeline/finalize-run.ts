import type { LedgerEvent } from '../domain/ledger.ts';
import type { RunContext } from './run-context.ts';
import { headCommit, standingCheckpoints } from '../domain/run-view.ts';
import { measureTree } from './measure-tree.ts';
import { openPullRequest } from './delivery/open-pull-request.ts';
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
    return { output: null, events: [{ type: 'measured', head, figures: await measureTree(tree, context), stat }] };
  });
  await context.steps.run('pull-request', async () => {
    const pull = await openPullRequest(await context.view(), context.ports);
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
    if (view.branch !== null) await context.ports.repositories.deleteBranch(context.request.repository, view.branch);
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
