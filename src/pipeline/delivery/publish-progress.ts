import type { CheckRunContent } from '../../code-host/checks.ts';
import type { Ports } from '../ports.ts';
import type { RunState } from '../../domain/run.ts';
import type { RunView } from '../../domain/run-view.ts';
import { headCommit, standingCheckpoints } from '../../domain/run-view.ts';
import { renderStatus } from './render-status.ts';

type Needs = Pick<Ports, 'conversation' | 'checks' | 'clock'>;

/** Labels a run puts on its request issue, one at a time. */
export const STATE_LABELS = ['refactor: running', 'refactor: done', 'refactor: failed'] as const;

/** The status comment, the state label and the check run, brought up to what the ledger says. May be done any number of times. */
export async function publishProgress(view: RunView, ports: Needs): Promise<void> {
  const { repository, issueNumber } = view.request;
  const body = renderStatus(view, ports.clock.now());
  await ports.conversation.putComment(repository, { issueNumber, marker: statusMarker(view) }, body);
  const label = labelFor(view.state);
  const others = STATE_LABELS.filter((name) => name !== label);
  await ports.conversation.changeLabels(repository, issueNumber, {
    remove: others,
    add: label === null ? [] : [label],
  });
  const check = checkRunOf(view, body);
  if (check !== null) await ports.checks.put(repository, check);
}

export function statusMarker(view: Pick<RunView, 'id'>): string {
  return `refactor-bot:status:${view.id}`;
}

function labelFor(state: RunState): (typeof STATE_LABELS)[number] | null {
  switch (state) {
    case 'queued':
    case 'awaiting_approval':
    case 'cancelled':
      return null;
    case 'failed':
      return 'refactor: failed';
    case 'in_review':
    case 'accepted':
    case 'rejected':
    case 'completed':
      return 'refactor: done';
    default:
      return 'refactor: running';
  }
}

/** On the head of the work branch, once something was pushed. */
function checkRunOf(view: RunView, summary: string): CheckRunContent | null {
  const commit = headCommit(view);
  if (commit === null || standingCheckpoints(view).length === 0) return null;
  const content = {
    run: view.id,
    commit,
    title: `${standingCheckpoints(view).length} of ${view.batches.length} batches kept`,
    summary,
  };
  switch (view.state) {
    case 'in_review':
      return { ...content, status: 'completed', conclusion: 'success' };
    case 'accepted':
    case 'rejected':
      return null;
    case 'cancelled':
      return { ...content, status: 'completed', conclusion: 'cancelled' };
    case 'failed':
      return { ...content, status: 'completed', conclusion: 'neutral' };
    default:
      return { ...content, status: 'in_progress', conclusion: null };
  }
}
