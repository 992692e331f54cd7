import type { Ports } from './ports.ts';
import type { RunId } from '../domain/ids.ts';
import type { RunView } from '../domain/run-view.ts';
import { BotError } from '../domain/errors.ts';
import { deleteOwnBranch } from './own-branch.ts';
import { hasEnded, isActive } from '../domain/run.ts';
import { publishProgress } from './delivery/publish-progress.ts';

/**
 * What is left to do on the code host once a run waits or has ended, whatever the end: the last word in the status comment, labels,
 * the branch, the request issue. Every effect may be done again, and none waits for another: an issue that was locked must not keep
 * a branch alive.
 */
export async function settleRun(id: RunId, ports: Ports): Promise<void> {
  const view = await ports.store.load(id);
  if (view === null) throw new BotError('invariant-broken', `Run ${id} is not in the ledger.`);
  if (isActive(view.state)) return;
  const effects = [() => publishProgress(view, ports), ...(hasEnded(view.state) ? endings(view, ports) : [])];
  const problems: unknown[] = [];
  for (const effect of effects) await effect().catch((problem: unknown) => problems.push(problem));
  if (problems.length > 0) throw problems[0];
}

function endings(view: RunView, ports: Ports): (() => Promise<unknown>)[] {
  const { repository, issueNumber } = view.request;
  const tidied = () => ports.workspaces.remove(view.id);
  switch (view.state) {
    case 'accepted':
      return [
        async () => deleteOwnBranch(view, ports, await mergedHead(view, ports)),
        () => ports.conversation.closeIssue(repository, issueNumber),
        tidied,
      ];
    case 'rejected':
      return [() => deleteOwnBranch(view, ports), tidied];
    default:
      // A failed or cancelled run leaves what passed for a person to look at, if it left anything.
      return [tidied];
  }
}

/** A person may have added commits before the merge: they are merged, too. */
async function mergedHead(view: RunView, ports: Ports): Promise<string | null> {
  if (view.pullRequest === null) return null;
  const pull = await ports.pullRequests.get(view.request.repository, view.pullRequest.number);
  return pull?.merged === true ? pull.headCommit : null;
}
