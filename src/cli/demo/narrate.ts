import { FIGURES, FIGURE_NAMES } from '../../domain/figures.ts';
import type { LedgerEvent } from '../../domain/ledger.ts';
import type { Plan } from '../../domain/plan.ts';
import { withoutHidden } from '../../domain/markdown.ts';
import type { RunView } from '../../domain/run-view.ts';
import { standingCheckpoints } from '../../domain/run-view.ts';

/** One line of progress for an event, or null for those that say nothing to a person. Text of the repository is made harmless. */
export function narrate(event: LedgerEvent): string | null {
  const line = describe(event);
  return line === null ? null : withoutHidden(line);
}

function describe(event: LedgerEvent): string | null {
  switch (event.type) {
    case 'run-requested':
      return `run ${event.request.id} asked for by ${event.request.requestedBy}`;
    case 'state-entered':
      return `· ${event.state}`;
    case 'prepared':
      return `  cloned at ${event.baseCommit.slice(0, 10)}, backed up (${Math.ceil(event.backupBytes / 1024)} KiB)`;
    case 'baseline-recorded':
      return event.checks
        .map(
          (check) =>
            `  ${check.command}: ${check.outcome}${check.tests === null ? '' : `, ${check.tests.passed} tests pass`}`,
        )
        .join('\n');
    case 'indexed':
      return `  ${event.files} files, ${event.findings} findings`;
    case 'planned':
      return `  plan ${event.plan.hash}: ${event.plan.batches.length} batches, ${event.plan.leftOut.length} findings left alone`;
    case 'approved':
      return `  plan ${event.planHash} approved by ${event.by}`;
    case 'attempt-failed':
      return `  ${event.batch} attempt ${event.attempt} refused at ${event.failure.stage}: ${event.failure.reasons[0] ?? ''}`;
    case 'batch-kept':
      return `  ${event.checkpoint.batch} kept as ${event.checkpoint.commit.slice(0, 10)} (+${event.checkpoint.stat.added} −${event.checkpoint.stat.removed})`;
    case 'batch-failed':
      return `  ${event.batch} failed: ${event.reason}`;
    case 'batch-skipped':
    case 'batch-noop':
      return `  ${event.batch} passed over: ${event.reason}`;
    case 'fully-verified':
      return `  whole branch verified: ${event.passed ? 'passed' : 'failed'}`;
    case 'batches-dropped':
      return `  dropped ${event.batches.join(', ')}: ${event.reason}`;
    case 'measured':
      return null;
    case 'pull-request-opened':
      return `  pull request ${event.url}`;
    case 'accepted':
      return `  merged by ${event.by}`;
    case 'rejected':
      return `  closed by ${event.by}`;
    case 'completed':
    case 'failed':
      return `  ${event.message}`;
    case 'cancelled':
      return `  cancelled by ${event.by}`;
  }
}

/** The plan as a person reads it: what will be done, and what will not, with the reason. */
export function showPlan(plan: Plan): string {
  const batches = plan.batches.map((batch, index) => `  ${index + 1}. ${batch.goal}  [risk ${batch.risk}]`);
  const left = plan.leftOut.slice(0, 12).map(({ finding, reason }) => `  - ${finding.path} ${finding.rule}: ${reason}`);
  const more = plan.leftOut.length > 12 ? [`  … and ${plan.leftOut.length - 12} more`] : [];
  return withoutHidden(
    [`Plan ${plan.hash}`, ...batches, ...(left.length > 0 ? ['Left alone', ...left, ...more] : [])].join('\n'),
  );
}

/** Figures before and after; only those that were beyond their limit at some time. */
export function showFigures(view: RunView): string {
  const before = view.figuresBefore;
  const after = view.result?.figures;
  if (before === null || after === undefined) return '';
  const rows = FIGURE_NAMES.filter((name) => before[name] > 0 || after[name] > 0).map(
    (name) => `  ${FIGURES[name].padEnd(54)} ${String(before[name]).padStart(6)} → ${String(after[name]).padStart(6)}`,
  );
  return ['Findings before → after', ...rows].join('\n');
}

export function showVerdicts(view: RunView): string {
  const kept = view.batches.flatMap((entry) => (entry.status === 'kept' ? [entry] : []));
  const lines = kept.map((entry) => {
    const checks = entry.checks.map((check) => `${check.command} ${check.outcome}`).join(', ');
    const proofs = entry.checkpoint?.proofs.map((proof) => proof.name).join(', ') ?? '';
    return `  ${entry.batch.goal}\n    ${checks}${proofs === '' ? '' : `; proofs: ${proofs}`}`;
  });
  return withoutHidden(['Verdicts', ...lines].join('\n'));
}

/** True when something was kept and every figure that a kept batch named fell. */
export function isImproved(view: RunView): boolean {
  const before = view.figuresBefore;
  const after = view.result?.figures;
  if (before === null || after === undefined || standingCheckpoints(view).length === 0) return false;
  const named = view.batches.flatMap((entry) => (entry.status === 'kept' ? entry.batch.improves : []));
  return named.every((name) => after[name] < before[name]);
}
