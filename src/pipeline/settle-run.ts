import type { Ports } from './ports.ts';
import type { RunId } from '../domain/ids.ts';
import type { RunView } from '../domain/run-view.ts';
import { BotError } from '../domain/errors.ts';
import { hasEnded } from '../domain/run.ts';
import { publishProgress } from './delivery/publish-progress.ts';

/**
 * What is left to do on the code host once a run has ended, whatever the end: the last word in the status comment, labels, the
 * branch, the request issue. Every effect may be done again.
 */
export async function settleRun(id: RunId, ports: Ports): Promise<void> {
  const view = await ports.store.load(id);
  if (view === null) throw new BotError('invariant-broken', `Run ${id} is not in the ledger.`);
  if (!hasEnded(view.state)) return;
  await publishProgress(view, ports);
  const { repository, issueNumber } = view.request;
  if (view.branch !== null && mayDeleteBranch(view)) await ports.repositories.deleteBranch(repository, view.branch);
  if (view.ending?.type === 'accepted') await ports.conversation.closeIssue(repository, issueNumber);
  await ports.workspaces.remove(id);
}

/** Merged and rejected branches go; a failed or cancelled run leaves what passed for a person to look at, if it left anything. */
function mayDeleteBranch(view: RunView): boolean {
  return view.state === 'accepted' || view.state === 'rejected';
}
