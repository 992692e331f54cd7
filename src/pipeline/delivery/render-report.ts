import type { BatchView, RunView } from '../../domain/run-view.ts';
import { inertCode, inertText } from '../../domain/markdown.ts';
import { standingCheckpoints } from '../../domain/run-view.ts';
import { formatElapsed, renderCheck, renderFigures, renderLeftOut } from './render-parts.ts';

/** Title of the pull request: what the branch adds up to. */
export function renderTitle(view: RunView): string {
  const kept = standingCheckpoints(view);
  const only = view.batches.find((entry) => entry.status === 'kept');
  if (kept.length === 1 && only !== undefined) return `refactor: ${only.batch.goal}`.slice(0, 120);
  return `refactor: ${kept.length} verified batches`;
}

/** The body of the pull request: everything a reviewer needs to decide, with the proof beside each claim. */
export function renderReport(view: RunView): string {
  const sections = [
    renderSummary(view),
    renderBatchTable(view),
    section('Findings before → after', renderFigures(view)),
    section('Evidence', renderEvidence(view)),
    section('Not kept', renderNotKept(view)),
    view.plan === null ? '' : renderLeftOut(view.plan),
    section('What to do', renderAdvice(view)),
    `<sub>Run ${view.id} · base \`${view.baseCommit ?? ''}\` · plan \`${view.plan?.hash ?? ''}\`</sub>`,
  ];
  return sections.filter((part) => part !== '').join('\n\n');
}

function section(title: string, body: string): string {
  return body === '' ? '' : `### ${title}\n\n${body}`;
}

function renderSummary(view: RunView): string {
  const kept = standingCheckpoints(view);
  const stat = view.result?.stat;
  const size = stat === undefined ? '' : ` ${stat.files} files, +${stat.added} −${stat.removed} lines.`;
  const flaky = view.baseline?.flaky.length ?? 0;
  return [
    `${kept.length} of ${view.batches.length} planned batches, one commit each; every commit passed this repository's own checks in a sandbox and lowered the figures it names.${size}`,
    `Asked for by ${inertCode(view.request.requestedBy)} in #${view.request.issueNumber}; took ${formatElapsed(view.startedAt, view.lastEventAt)}; 0 model calls, $0.00.`,
    view.baseline !== null && view.baseline.knownFailures > 0
      ? `The baseline had ${view.baseline.knownFailures} failing tests; the same ones fail now, none more.`
      : '',
    flaky > 0
      ? `${flaky} tests are flaky on the untouched tree: ${view.baseline?.flaky.slice(0, 5).map(inertCode).join(', ')}.`
      : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function renderBatchTable(view: RunView): string {
  const rows = view.batches.flatMap((entry, index) => {
    if (entry.status !== 'kept' || entry.checkpoint === null) return [];
    const { stat, commit } = entry.checkpoint;
    const verdict = entry.checks.every((check) => check.outcome === 'passed') ? 'passed' : 'as baseline';
    const cells = [
      index + 1,
      inertText(entry.batch.goal),
      stat.files,
      `+${stat.added} −${stat.removed}`,
      entry.batch.risk,
      verdict,
      `\`${commit.slice(0, 10)}\``,
    ];
    return [`| ${cells.join(' | ')} |`];
  });
  return [
    '| # | goal | files | lines | risk | checks | commit |',
    '| ---: | --- | ---: | ---: | ---: | --- | --- |',
    ...rows,
  ].join('\n');
}

function renderEvidence(view: RunView): string {
  const lines: string[] = [];
  const full = view.fullVerifications.at(-1);
  if (view.baseline !== null) {
    const { environment, checks } = view.baseline;
    lines.push(`Baseline: ${checks.map(renderCheck).join('; ')}.`, '');
    if (full !== undefined) lines.push(`Whole branch, full verifier: ${full.checks.map(renderCheck).join('; ')}.`, '');
    lines.push(
      `Environment, the same for both: ${inertText(environment.toolchain)}, sandbox ${inertText(environment.sandbox)}.`,
      '',
    );
  }
  for (const entry of view.batches) {
    if (entry.status !== 'kept' || entry.checkpoint === null) continue;
    const proofs = entry.checkpoint.proofs.map((proof) => `${proof.name} (${inertText(proof.evidence)})`).join('; ');
    lines.push(
      `- \`${entry.checkpoint.commit.slice(0, 10)}\`: ${entry.checks.map(renderCheck).join('; ')}${proofs === '' ? '' : `. Proofs: ${proofs}`}`,
    );
  }
  return lines.join('\n').trim();
}

function renderNotKept(view: RunView): string {
  const entries = view.batches.filter((entry) => entry.status !== 'kept' && entry.status !== 'planned');
  return entries.map((entry) => renderMissed(entry)).join('\n');
}

function renderMissed(entry: BatchView): string {
  const head = `- **${entry.status}**: ${inertText(entry.batch.goal)}: ${inertText(entry.reason)}`;
  const attempts = entry.failures.map(
    ({ attempt, failure }) =>
      `  - attempt ${attempt}, ${failure.stage}: ${failure.reasons.slice(0, 3).map(inertText).join('; ')}`,
  );
  return [head, ...attempts].join('\n');
}

function renderAdvice(view: RunView): string {
  const base = inertCode(view.request.repository.defaultBranch);
  return [
    `- **Accept**: merge it in any way; the branch is deleted and #${view.request.issueNumber} is closed.`,
    '- **Reject**: close it; say why in a comment, and the branch is deleted.',
    `- **Without one batch**: \`git revert <commit>\` on the branch; each commit stands alone on its predecessor.`,
    `- **Undo after a merge**: revert the merge commit on ${base}.`,
  ].join('\n');
}
