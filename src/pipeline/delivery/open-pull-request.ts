import type { Ports } from '../ports.ts';
import type { PullRequestView } from '../../code-host/pull-requests.ts';
import type { RunView } from '../../domain/run-view.ts';
import { BotError } from '../../domain/errors.ts';
import { renderReport, renderTitle } from './render-report.ts';

/** Opens the pull request of the work branch, or brings the one that is there up to date. */
export async function openPullRequest(view: RunView, ports: Pick<Ports, 'pullRequests'>): Promise<PullRequestView> {
  if (view.branch === null)
    throw new BotError('invariant-broken', `Run ${view.id} has no branch to open a pull request from.`);
  const { repository } = view.request;
  return ports.pullRequests.put(repository, {
    head: view.branch,
    base: repository.defaultBranch,
    title: renderTitle(view),
    body: renderReport(view),
  });
}
