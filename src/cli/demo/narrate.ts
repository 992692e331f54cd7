import type { BatchId } from '../../domain/ids.ts';
import type { LedgerEvent, LedgerRecord } from '../../domain/ledger.ts';
import type { Plan } from '../../domain/plan.ts';
import type { RunState } from '../../domain/run.ts';
import { withoutHidden } from '../../domain/markdown.ts';

/** What is being done now: said when it begins, so that a reader knows what a silence is about. */
const BEGINNINGS: Partial<Readonly<Record<RunState, string>>> = {
  preparing: 'preparing a clone',
  baseline: 'proving that the repository is green: dependencies, then every check on the untouched tree',
  indexing: 'measuring what is worth refactoring',
  planning: 'planning small batches',
  awaiting_approval: 'waiting for an approval',
  executing: 'refactoring: patch, review by the gate, checks, commit, push',
  finalizing: 'verifying the whole branch',
  in_review: 'waiting for a review',
};

/** What an event means to a person, or null for those that say nothing. Text of the repository is made harmless. */
export function narrate(event: LedgerEvent): string | null {
  const lines = describe(event);
  return lines.length === 0 ? null : withoutHidden(lines.join('\n'));
}

/** Tells one run after the other: with the time since each was asked for, and the next batch before it is worked on. */
export function createNarrator(): (record: LedgerRecord) => string | null {
  let startedAt = '';
  let plan: Plan | null = null;
  const done = new Set<BatchId>();
  return ({ at, event }) => {
    if (event.type === 'run-requested') {
      startedAt = at;
      plan = null;
      done.clear();
    }
    if (event.type === 'planned') plan = event.plan;
    const ended = endedBatch(event);
    if (ended !== null) done.add(ended);
    const begins = ended !== null || (event.type === 'state-entered' && event.state === 'executing');
    const parts = [narrate(event), begins && plan !== null ? announceNext(plan, done) : null];
    const told = parts.filter((part) => part !== null).join('\n');
    if (told === '') return null;
    const elapsed = formatClock(Date.parse(at) - Date.parse(startedAt));
    return told.replaceAll(/^/gm, `${elapsed}  `);
  };
}

function endedBatch(event: LedgerEvent): BatchId | null {
  switch (event.type) {
    case 'batch-kept':
      return event.checkpoint.batch;
    case 'batch-failed':
    case 'batch-skipped':
    case 'batch-noop':
      return event.batch;
    default:
      return null;
  }
}

function announceNext({ batches }: Plan, done: ReadonlySet<BatchId>): string | null {
  const next = batches.find((batch) => !done.has(batch.id));
  return next === undefined ? null : withoutHidden(`  ${next.id} of ${batches.length}: ${next.goal}`);
}

function describe(event: LedgerEvent): string[] {
  switch (event.type) {
    case 'run-requested':
      return [`run ${event.request.id}, asked for by ${event.request.requestedBy}`];
    case 'state-entered':
      return describeState(event.state);
    case 'prepared':
      return [`  base commit ${event.baseCommit.slice(0, 10)}, backup of ${Math.ceil(event.backupBytes / 1024)} KiB`];
    case 'baseline-recorded':
      return event.checks.map(({ command, outcome, tests }) => {
        const counted = tests === null ? '' : ` (${tests.passed} passed, ${tests.failed} failed)`;
        return `  ${command}: ${outcome}${counted}`;
      });
    case 'indexed':
      return [`  ${event.files} source files, ${event.findings} findings`];
    case 'planned':
      return [
        `  plan ${event.plan.hash}: ${event.plan.batches.length} batches, ${event.plan.leftOut.length} findings left alone`,
      ];
    case 'approved':
      return [`  plan ${event.planHash} approved by ${event.by}`];
    case 'fully-verified':
      return [
        `  ${event.passed ? 'passed' : 'failed'}: ${event.checks.map((check) => `${check.command} ${check.outcome}`).join(', ')}`,
      ];
    case 'batches-dropped':
      return [`  dropped ${event.batches.join(', ')}: ${event.reason}`];
    case 'measured':
      return [];
    case 'pull-request-opened':
      return [`  pull request ${event.url}`];
    case 'accepted':
      return [`merged by ${event.by}`];
    case 'rejected':
      return [`closed without a merge by ${event.by}`];
    case 'completed':
    case 'failed':
      return [event.message];
    case 'cancelled':
      return [`cancelled by ${event.by}`];
    default:
      return describeBatch(event);
  }
}

type BatchEvent = Extract<
  LedgerEvent,
  { type: 'attempt-failed' | 'batch-kept' | 'batch-failed' | 'batch-skipped' | 'batch-noop' }
>;

function describeBatch(event: BatchEvent): string[] {
  switch (event.type) {
    case 'attempt-failed': {
      const [first = '', ...more] = event.failure.reasons;
      const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
      return [`  ${event.batch} attempt ${event.attempt} refused at ${event.failure.stage}: ${first}${rest}`];
    }
    case 'batch-kept': {
      const { batch, commit, stat } = event.checkpoint;
      return [`  ${batch} kept as ${commit.slice(0, 10)} (+${stat.added} −${stat.removed})`];
    }
    case 'batch-failed':
      return [`  ${event.batch} failed: ${event.reason}`];
    case 'batch-skipped':
    case 'batch-noop':
      return [`  ${event.batch} passed over: ${event.reason}`];
  }
}

/** The states that end a run are told by the event beside them. */
function describeState(state: RunState): string[] {
  const beginning = BEGINNINGS[state];
  return beginning === undefined ? [] : [beginning];
}

/** ` 1:07` */
function formatClock(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`.padStart(6);
}
