import { FIGURES, FIGURE_NAMES } from '../../domain/figures.ts';
import type { CheckSummary } from '../../domain/ledger.ts';
import type { Plan } from '../../domain/plan.ts';
import { withoutHidden } from '../../domain/markdown.ts';
import type { RunView } from '../../domain/run-view.ts';

const LEFT_OUT_SHOWN = 12;
const WIDTH = 110;

/** The plan as a person reads it: what will be done, and what will not, with the reason. */
export function showPlan(plan: Plan): string {
  const batches = plan.batches.map((batch, index) => `  ${index + 1}. ${batch.goal}  (risk ${batch.risk})`);
  const parts = [`Plan ${plan.hash}`, ...batches];
  if (plan.leftOut.length > 0) parts.push('', 'Left alone, with the reason', ...showLeftOut(plan));
  return withoutHidden(parts.join('\n'));
}

function showLeftOut({ leftOut }: Plan): string[] {
  const lines = leftOut
    .slice(0, LEFT_OUT_SHOWN)
    .flatMap(({ finding, reason }) => [`  - ${finding.path}, ${finding.rule}`, ...wrap(reason, 6)]);
  const more = leftOut.length - LEFT_OUT_SHOWN;
  return more > 0 ? [...lines, `  … and ${more} more`] : lines;
}

/** What git makes of the branch, in columns. */
export function showCommits(commits: readonly { readonly id: string; readonly subject: string }[]): string {
  return withoutHidden(['Commits', ...commits.map(({ id, subject }) => `  ${id.slice(0, 10)} ${subject}`)].join('\n'));
}

export function showDiffstat(
  files: readonly { readonly path: string; readonly added: number; readonly removed: number }[],
): string {
  const width = Math.max(...files.map(({ path }) => path.length), 0);
  const rows = files.map(
    ({ path, added, removed }) => `  ${path.padEnd(width)} ${right(`+${added}`)} ${right(`−${removed}`)}`,
  );
  return withoutHidden(['Diffstat', ...rows].join('\n'));
}

/** Figures before and after; only those that were beyond their limit at some time. */
export function showFigures(view: RunView): string {
  const before = view.figuresBefore;
  const after = view.result?.figures;
  if (before === null || after === undefined) return '';
  const names = FIGURE_NAMES.filter((name) => before[name] > 0 || after[name] > 0);
  const width = Math.max(...names.map((name) => FIGURES[name].length), 0);
  const rows = names.map((name) => {
    const change = after[name] - before[name];
    const shown = change === 0 ? '=' : change < 0 ? `−${-change}` : `+${change}`;
    return `  ${FIGURES[name].padEnd(width)} ${right(String(before[name]))} → ${right(String(after[name]))}  ${right(shown)}`;
  });
  return ['Findings before → after', ...rows].join('\n');
}

/** What was checked and proved: the untouched tree, each commit, the whole branch. */
export function showVerdicts(view: RunView): string {
  const kept = view.batches.filter((entry) => entry.status === 'kept');
  const lines = kept.flatMap(({ batch, checks, checkpoint }) => [
    `  ${batch.id}: ${showChecks(checks)}`,
    ...wrap(`proofs: ${checkpoint?.proofs.map((proof) => proof.name).join(', ') ?? 'none'}`, 6),
  ]);
  const full = view.fullVerifications.at(-1);
  return withoutHidden(
    [
      'Verdicts',
      `  baseline: ${showChecks(view.baseline?.checks ?? [])}`,
      ...lines,
      ...(full === undefined ? [] : [`  whole branch: ${showChecks(full.checks)}`]),
    ].join('\n'),
  );
}

function showChecks(checks: readonly CheckSummary[]): string {
  return checks
    .map(({ command, outcome, tests }) => `${command} ${outcome}${tests === null ? '' : ` (${tests.passed} tests)`}`)
    .join(', ');
}

function right(text: string): string {
  return text.padStart(5);
}

/** Lines of bearable length; a word that is longer keeps a line of its own. */
function wrap(text: string, indent: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || indent + last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => `${' '.repeat(indent)}${line}`);
}
