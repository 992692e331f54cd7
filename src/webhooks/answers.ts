import type { ParsedComment } from '../domain/command.ts';
import { inertCode, inertText } from '../domain/markdown.ts';
import type { RunSummary } from '../database/run-store.ts';
import type { RunState } from '../domain/run.ts';
import { standingCheckpoints, type RunView } from '../domain/run-view.ts';
import type { ApproveResult } from '../runs/approve-plan.ts';
import type { CancelResult } from '../runs/cancel-run.ts';
import type { StartResult } from '../runs/start-run.ts';
import { COMMAND_NAMES, COMMAND_USAGE } from './parse-command.ts';
import type { Reply } from './reply.ts';

const STATE_WORDS: Readonly<Record<RunState, string>> = {
  queued: 'waiting for its turn',
  preparing: 'preparing a clone',
  baseline: 'proving that the repository is green',
  indexing: 'measuring the code',
  planning: 'planning',
  awaiting_approval: 'waiting for approval of its plan',
  executing: 'refactoring',
  finalizing: 'verifying the whole branch',
  in_review: 'ready for review',
  accepted: 'accepted',
  rejected: 'rejected',
  completed: 'done without a pull request',
  failed: 'stopped by a failure',
  cancelled: 'cancelled',
};

export function answerHelp(): Reply {
  const rows = COMMAND_NAMES.map((name) => `| \`${COMMAND_USAGE[name].usage}\` | ${COMMAND_USAGE[name].does} |`);
  const body = [
    'These commands go at the start of a line of a comment, one to a comment:',
    '',
    '| Command | What it does |',
    '| --- | --- |',
    ...rows,
  ].join('\n');
  return { reaction: '+1', body };
}

export function answerMalformed(parsed: Extract<ParsedComment, { kind: 'malformed' }>): Reply {
  const given = parsed.given === '' ? '`/refactor`' : inertCode(`/refactor ${parsed.given}`);
  const hint =
    parsed.nearest === null
      ? `The commands are ${COMMAND_NAMES.map((name) => `\`${name}\``).join(', ')}; \`/refactor help\` explains them.`
      : `Did you mean \`${COMMAND_USAGE[parsed.nearest].usage}\`? \`/refactor help\` lists every command.`;
  return refusal(`I did not understand ${given}: ${inertText(parsed.problem)}. Nothing was done. ${hint}`);
}

export function answerClosedIssue(): Reply {
  return refusal('This issue is closed, so nothing was started. Reopen it and ask again, or open a new one.');
}

export function answerPullRequest(): Reply {
  return refusal(
    'Runs are asked for on an issue, not on a pull request. Open an issue that says what you want, and label it or command there.',
  );
}

/** `message` of a `config-invalid` error, which is Markdown already. */
export function answerInvalidConfig(message: string): Reply {
  return refusal(message);
}

export function answerStart(result: StartResult): Reply {
  if (result.kind === 'already-running') {
    const { id, state } = result.run;
    return refusal(
      `Run \`${id}\` of this issue is under way already (${STATE_WORDS[state]}); its status is in the comment above. To begin anew, say \`/refactor cancel\` first.`,
    );
  }
  // The status comment answers a run that starts now.
  if (result.behind === null) return { reaction: 'eyes', body: null };
  return {
    reaction: 'eyes',
    body: `Run \`${result.run.id}\` is queued. It starts when run \`${result.behind.id}\` of #${result.behind.issueNumber} is done: one run at a time works on a repository.`,
  };
}

export function answerApprove(result: ApproveResult): Reply {
  switch (result.kind) {
    case 'approved':
      return {
        reaction: 'rocket',
        body: `Approved: ${count(result.batches, 'batch', 'batches')} of run \`${result.run}\`. Its status comment shows how it goes on.`,
      };
    case 'already-approved':
      return refusal(
        `The plan of run \`${result.run}\` was approved by ${inertCode(result.by)} before. Nothing was changed.`,
      );
    case 'not-planned-yet':
      return refusal(
        `Run \`${result.run}\` has no plan yet (${STATE_WORDS[result.state]}). Approve it when the plan is posted.`,
      );
    case 'other-plan':
      return refusal(
        `${result.superseded ? 'That plan was superseded by a newer one.' : 'That is not the hash of the plan that waits here.'} To approve the plan as it is now: \`/refactor approve ${result.current}\``,
      );
    case 'no-such-batch':
      return refusal(
        `The plan has ${count(result.batches, 'batch', 'batches')}, so there is no batch ${result.ordinals.join(', ')}. Nothing was approved.`,
      );
    case 'depends-on':
      return refusal(
        `The batches you chose build on batch ${result.missing.join(', ')}, which you did not choose. Nothing was approved; name ${result.missing.length === 1 ? 'it' : 'them'} as well, or leave out what builds on ${result.missing.length === 1 ? 'it' : 'them'}.`,
      );
    case 'nothing-to-approve':
      return refusal(
        result.last === null
          ? 'There is no plan to approve here. `/refactor plan` makes one.'
          : `There is no plan to approve here: run \`${result.last.run}\` is past that (${STATE_WORDS[result.last.state]}). \`/refactor plan\` makes a new plan.`,
      );
  }
}

export function answerCancel(result: CancelResult): Reply {
  switch (result.kind) {
    case 'cancelled':
      return { reaction: '+1', body: `Run \`${result.run}\` is cancelled. Nothing was merged.` };
    case 'stopping':
      return {
        reaction: '+1',
        body: `Run \`${result.run}\` is being stopped (it was ${STATE_WORDS[result.state]}). Its status comment says when it is done.`,
      };
    case 'in-review':
      return refusal(
        `Run \`${result.run}\` has opened ${result.pullRequest === null ? 'its pull request' : `#${result.pullRequest}`}. Close that without merging to reject the run.`,
      );
    case 'nothing-to-cancel':
      return refusal('No run of this issue is under way, so there is nothing to cancel.');
  }
}

/** `view` is the newest run of the issue; `others` are the live runs of the repository that were asked for elsewhere. */
export function answerStatus(view: RunView | null, others: readonly RunSummary[]): Reply {
  const elsewhere = others.map((run) => `- run \`${run.id}\` of #${run.issueNumber}: ${STATE_WORDS[run.state]}`);
  const lines =
    view === null ? ['This issue has no run. `/refactor plan` or `/refactor run` starts one.'] : [describeRun(view)];
  if (elsewhere.length > 0) lines.push('', 'Elsewhere in this repository:', '', ...elsewhere);
  return { reaction: '+1', body: lines.join('\n') };
}

function describeRun(view: RunView): string {
  const parts = [`Run \`${view.id}\` is ${STATE_WORDS[view.state]}.`];
  if (view.batches.length > 0)
    parts.push(`${standingCheckpoints(view).length} of ${count(view.batches.length, 'batch', 'batches')} kept.`);
  if (view.state === 'awaiting_approval' && view.plan !== null)
    parts.push(`To approve its plan: \`/refactor approve ${view.plan.hash}\`.`);
  if (view.ending?.type === 'failed') parts.push(inertText(view.ending.message));
  parts.push(
    view.pullRequest === null
      ? `Its status comment is in #${view.request.issueNumber}.`
      : `Its pull request is #${view.pullRequest.number}, its status comment in #${view.request.issueNumber}.`,
  );
  return parts.join(' ');
}

function refusal(body: string): Reply {
  return { reaction: 'confused', body };
}

function count(amount: number, one: string, many: string): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
