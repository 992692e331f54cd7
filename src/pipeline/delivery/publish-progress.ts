import type { CheckRunContent } from '../../code-host/checks.ts';
import type { Ports } from '../ports.ts';
import type { RunState } from '../../domain/run.ts';
import type { RunView } from '../../domain/run-view.ts';
import { isAbort } from '../../domain/errors.ts';
import { STATE_LABELS, STATE_LABEL_NAMES } from '../../domain/state-labels.ts';
import { headCommit, standingCheckpoints } from '../../domain/run-view.ts';
import { renderStatus } from './render-status.ts';

type Needs = Pick<Ports, 'conversation' | 'checks' | 'clock'>;

/** On the way: a comment that the host refuses is no reason to end a good run, and the last word is said when it settles. */
export async function tryPublishProgress(view: RunView, ports: Needs & Pick<Ports, 'logger'>): Promise<void> {
  try {
    await publishProgress(view, ports);
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    ports.logger.warn({ run: view.id, err: thrown }, 'progress not published');
  }
}

/** The status comment, the state label and the check run, brought up to what the ledger says. May be done any number of times. */
export async function publishProgress(view: RunView, ports: Needs): Promise<void> {
  const { repository, issueNumber } = view.request;
  const body = renderStatus(view, ports.clock.now());
  await ports.conversation.putComment(repository, { issueNumber, marker: statusMarker(view) }, body);
  const label = labelFor(view.state);
  const others = STATE_LABEL_NAMES.filter((name) => name !== label);
  await ports.conversation.changeLabels(repository, issueNumber, {
    remove: others,
    add: label === null ? [] : [label],
  });
  const check = checkRunOf(view, body);
  if (check !== null) await ports.checks.put(repository, check);
}

function statusMarker(view: Pick<RunView, 'id'>): string {
  return `status:${view.id}`;
}

function labelFor(state: RunState): string | null {
  switch (state) {
    case 'queued':
    case 'awaiting_approval':
    case 'cancelled':
      return null;
    case 'failed':
      return STATE_LABELS.failed.name;
    case 'in_review':
    case 'accepted':
    case 'rejected':
    case 'completed':
      return STATE_LABELS.done.name;
    default:
      return STATE_LABELS.running.name;
  }
}

/**
 * On the head of the work branch, once something was pushed. Whatever is pushed has passed the checks of its batch, so while batches
 * follow each other every commit gets its last word at once: none is left waiting when the next becomes the head.
 */
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
    case 'executing':
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
