import type { BatchView, RunView } from '../../domain/run-view.ts';
import { clipText, inertCode, withoutHidden } from '../../domain/markdown.ts';
import { standingCheckpoints, timeAtWork } from '../../domain/run-view.ts';
import {
  fitLines,
  formatDuration,
  renderCheck,
  renderFigures,
  renderLeftOut,
  shortCode,
  words,
} from './render-parts.ts';

/** Shares of the code host's 65,535 characters for the parts that grow with the number of batches. */
const MAX_TABLE = 20_000;
const MAX_EVIDENCE = 15_000;
const MAX_NOT_KEPT = 12_000;

/** Title of the pull request: what the branch adds up to. */
export function renderTitle(view: RunView): string {
  const kept = standingCheckpoints(view);
  const only = view.batches.find((entry) => entry.status === 'kept');
  if (kept.length === 1 && only !== undefined) return clipText(withoutHidden(`refactor: ${only.batch.goal}`), 120);
  return `refactor: ${kept.length} verified batches`;
}

/** The body of the pull request: everything a reviewer needs to decide, with the proof beside each claim. */
export function renderReport(view: RunView): string {
  const sections = [
    renderSummary(view),
    renderBatchTable(view),
    section('Findings before → after', renderFigures(view)),
    section('What to do', renderAdvice(view)),
    section('Evidence', renderEvidence(view)),
    section('Not kept', renderNotKept(view)),
    view.plan === null ? '' : renderLeftOut(view.plan),
    `<sub>Run ${view.id} · base \`${view.baseCommit?.slice(0, 10) ?? ''}\` · plan \`${view.plan?.hash ?? ''}\`</sub>`,
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
    `${kept.length} of ${view.batches.length} planned batches, one commit each; every commit passed this repository's own checks${isSandboxed(view) ? ' in a sandbox' : ''} and lowered the figures it names.${size}`,
    `Asked for by ${inertCode(view.request.requestedBy)} in #${view.request.issueNumber}; took ${formatDuration(timeAtWork(view, view.lastEventAt))}; 0 model calls, $0.00.`,
    view.baseline !== null && view.baseline.knownFailures > 0
      ? `The baseline had ${view.baseline.knownFailures} failing tests; the same ones fail now, none more.`
      : '',
    flaky > 0
      ? `${flaky} tests are flaky on the untouched tree: ${view.baseline?.flaky.slice(0, 5).map(shortCode).join(', ')}.`
      : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function isSandboxed(view: RunView): boolean {
  return view.baseline !== null && view.baseline.environment.sandbox !== 'unsandboxed';
}

function renderBatchTable(view: RunView): string {
  const rows = view.batches.flatMap((entry, index) => {
    if (entry.status !== 'kept' || entry.checkpoint === null) return [];
    const { stat, commit } = entry.checkpoint;
    const verdict = entry.checks.every((check) => check.outcome === 'passed') ? 'passed' : 'as baseline';
    const cells = [
      index + 1,
      words(entry.batch.goal),
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
    ...fitLines(rows, MAX_TABLE, (count) => `| … | ${count} more, each a commit of this branch | | | | | |`),
  ].join('\n');
}

function renderEvidence(view: RunView): string {
  const lines: string[] = [];
  const head = standingCheckpoints(view).at(-1);
  const full = view.fullVerifications.findLast((event) => event.tree === head?.tree);
  if (view.baseline !== null) {
    const { environment, checks } = view.baseline;
    lines.push(`Baseline: ${checks.map(renderCheck).join('; ')}.`, '');
    if (full !== undefined) lines.push(`Whole branch, full verifier: ${full.checks.map(renderCheck).join('; ')}.`, '');
    lines.push(
      `Environment, the same for both: ${words(environment.toolchain)}, sandbox ${words(environment.sandbox)}.`,
      '',
    );
  }
  const each = view.batches.flatMap((entry) => renderProof(entry));
  const shown = fitLines(each, MAX_EVIDENCE, (count) => `- … and ${count} more: each commit message holds its own`);
  lines.push(`<details><summary>Checks and proofs of each commit</summary>\n\n${shown.join('\n')}\n\n</details>`);
  return lines.join('\n').trim();
}

function renderProof({ status, checkpoint, checks }: BatchView): string[] {
  if (status !== 'kept' || checkpoint === null) return [];
  const proofs = checkpoint.proofs.map((proof) => `${proof.name} (${words(proof.evidence)})`).join('; ');
  const shown = checks.map(renderCheck).join('; ');
  return [`- \`${checkpoint.commit.slice(0, 10)}\`: ${shown}${proofs === '' ? '' : `. Proofs: ${proofs}`}`];
}

function renderNotKept(view: RunView): string {
  const entries = view.batches.filter((entry) => entry.status !== 'kept' && entry.status !== 'planned');
  return fitLines(
    entries.map((entry) => renderMissed(entry)),
    MAX_NOT_KEPT,
    (count) => `- … and ${count} more: the status comment of #${view.request.issueNumber} lists them`,
  ).join('\n');
}

function renderMissed(entry: BatchView): string {
  const head = `- **${entry.status}**: ${words(entry.batch.goal)}: ${words(entry.reason)}`;
  const attempts = entry.failures.map(
    ({ attempt, failure }) =>
      `  - attempt ${attempt}, ${failure.stage}: ${failure.reasons.slice(0, 3).map(words).join('; ')}`,
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
