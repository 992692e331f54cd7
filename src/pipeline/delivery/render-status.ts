import type { BatchView, RunView } from '../../domain/run-view.ts';
import type { RunState } from '../../domain/run.ts';
import { inertBlock, inertCode } from '../../domain/markdown.ts';
import { standingCheckpoints, timeAtWork } from '../../domain/run-view.ts';
import { fitLines, formatDuration, renderFigures, renderLeftOut, words } from './render-parts.ts';

/** Of the code host's 65,535 characters. */
const MAX_CHECKLIST = 35_000;

const HEADLINES: Readonly<Record<RunState, string>> = {
  queued: 'waiting for its turn',
  preparing: 'preparing a clone',
  baseline: 'proving that the repository is green',
  indexing: 'measuring what is worth refactoring',
  planning: 'planning small batches',
  awaiting_approval: 'plan ready, waiting for approval',
  executing: 'refactoring',
  finalizing: 'verifying the whole branch',
  in_review: 'ready for review',
  accepted: 'accepted',
  rejected: 'rejected',
  completed: 'done, nothing was changed',
  failed: 'stopped, nothing was merged',
  cancelled: 'cancelled',
};

/** The one status comment of a run: edited in place, so it is always the whole truth as of the last event. */
export function renderStatus(view: RunView, now: Date): string {
  const sections = [
    `### Refactoring: ${HEADLINES[view.state]}`,
    renderFacts(view, now),
    renderEnding(view),
    renderApproval(view),
    renderChecklist(view),
    renderFigures(view),
    view.plan === null ? '' : renderLeftOut(view.plan),
    `<sub>Run ${view.id} · \`/refactor help\` lists the commands.</sub>`,
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

function renderFacts(view: RunView, now: Date): string {
  const parts = [`Asked for by ${inertCode(view.request.requestedBy)}`];
  if (view.baseCommit !== null) {
    parts.push(`on ${inertCode(view.request.repository.defaultBranch)} at \`${view.baseCommit.slice(0, 10)}\``);
  }
  if (view.branch !== null && view.state !== 'accepted' && view.state !== 'rejected')
    parts.push(`branch ${inertCode(view.branch)}`);
  parts.push(`at work for ${formatDuration(timeAtWork(view, now.toISOString()))}`);
  parts.push('0 model calls, $0.00');
  if (view.baseline !== null) {
    const flaky = view.baseline.flaky.length;
    parts.push(
      `baseline ${view.baseline.green ? 'green' : 'red'}${view.baseline.knownFailures > 0 ? ` with ${view.baseline.knownFailures} known failures` : ''}${flaky > 0 ? `, ${flaky} flaky` : ''}`,
    );
  }
  return parts.join(' · ');
}

function renderEnding(view: RunView): string {
  const ending = view.ending;
  if (view.pullRequest !== null && (ending === null || ending.type === 'accepted' || ending.type === 'rejected')) {
    const words = { none: 'Review it in', accepted: 'Merged in', rejected: 'Closed without a merge in' };
    return `${words[ending === null ? 'none' : ending.type]} #${view.pullRequest.number}.`;
  }
  switch (ending?.type) {
    case 'completed':
      return `**${words(ending.message)}**`;
    case 'cancelled':
      return `Cancelled by ${inertCode(ending.by)}. Nothing was merged; what had passed stands on the branch until it is deleted.`;
    case 'failed':
      return [`**${words(ending.message)}**`, ending.evidence === '' ? '' : inertBlock(ending.evidence)]
        .filter((part) => part !== '')
        .join('\n\n');
    default:
      return '';
  }
}

function renderApproval(view: RunView): string {
  if (view.state !== 'awaiting_approval' || view.plan === null) return '';
  if (view.approval !== null) return `Approved by ${inertCode(view.approval.by)}; starts when the repository is free.`;
  const all = `\`/refactor approve ${view.plan.hash}\``;
  // An example that would do if it were copied.
  const some =
    view.batches.length > 1
      ? `, or \`/refactor approve ${view.plan.hash} only 1-${view.batches.length - 1}\` for some`
      : '';
  return `Comment ${all} to run all of it${some}. The approval holds for exactly this plan on exactly this commit.`;
}

function renderChecklist(view: RunView): string {
  if (view.batches.length === 0) return '';
  const current = view.state === 'executing' ? view.batches.find((entry) => entry.status === 'planned') : undefined;
  const lines = view.batches.map((entry, index) => `${index + 1}. ${renderItem(entry, entry === current)}`);
  return [`**${renderCount(view)}**`, ...fitLines(lines, MAX_CHECKLIST, (count) => `\n… and ${count} more`)].join('\n');
}

function renderCount(view: RunView): string {
  const planned = `${view.batches.length} ${view.batches.length === 1 ? 'batch' : 'batches'}`;
  if (view.state === 'awaiting_approval') return `${planned} planned`;
  return `${standingCheckpoints(view).length} of ${planned} kept`;
}

/** Signs that every font has: not every reader has one with emoji. */
function renderItem(entry: BatchView, isCurrent: boolean): string {
  const goal = words(entry.batch.goal);
  switch (entry.status) {
    case 'kept':
      return `✓ ${goal}${entry.checkpoint === null ? '' : ` — \`${entry.checkpoint.commit.slice(0, 10)}\` (+${entry.checkpoint.stat.added} −${entry.checkpoint.stat.removed})`}`;
    case 'planned': {
      const attempt = entry.failures.length === 0 ? '' : `, attempt ${entry.failures.length + 1}`;
      if (isCurrent) return `▸ **${goal}** — at work${attempt}`;
      return `${goal} (risk ${entry.batch.risk}, up to ${entry.batch.diffBudgetLines} lines)`;
    }
    case 'failed':
      return `✗ ${goal} — ${words(entry.reason)}`;
    case 'not-approved':
    case 'skipped':
    case 'noop':
    case 'dropped':
      return `– ${goal} — ${entry.status}: ${words(entry.reason)}`;
  }
}
