import { FIGURES, FIGURE_NAMES } from '../../domain/figures.ts';
import type { CheckSummary } from '../../domain/ledger.ts';
import type { Plan } from '../../domain/plan.ts';
import type { RunView } from '../../domain/run-view.ts';
import { clipText, inertCode, inertText } from '../../domain/markdown.ts';
import { standingCheckpoints } from '../../domain/run-view.ts';

/** Some forty findings: it is folded, and a reader of the first ones knows the rest. */
const MAX_LEFT_OUT = 6_000;
/** Longer than any goal, reason or name that a person wrote to be read. */
const MAX_WORDS = 300;
const MAX_CODE = 120;

/** Words from a repository or a tool as one inert line of bearable length. */
export function words(text: string): string {
  return inertText(clipText(text, MAX_WORDS));
}

/** A path, command or name as inline code of bearable length. */
export function shortCode(text: string): string {
  return inertCode(clipText(text, MAX_CODE));
}

/** The first lines that fit in so many characters; what is missing is counted and said. The code host cuts bodies at 65,535. */
export function fitLines(
  lines: readonly string[],
  maxCharacters: number,
  missing: (count: number) => string,
): string[] {
  let used = 0;
  const fits = lines.findIndex((line) => (used += line.length + 1) > maxCharacters);
  return fits === -1 ? [...lines] : [...lines.slice(0, fits), missing(lines.length - fits)];
}

/** Findings before and after, as a table; empty before the tree was measured. */
export function renderFigures(view: RunView): string {
  const before = view.figuresBefore;
  if (before === null) return '';
  const after = view.result?.figures ?? standingCheckpoints(view).at(-1)?.figuresAfter ?? null;
  const rows = FIGURE_NAMES.filter((name) => before[name] > 0 || (after !== null && after[name] > 0)).map((name) => {
    if (after === null) return `| ${FIGURES[name]} | ${before[name]} |`;
    const change = after[name] - before[name];
    const shown = change === 0 ? '=' : change > 0 ? `**+${change}**` : `**−${-change}**`;
    return `| ${FIGURES[name]} | ${before[name]} | ${after[name]} | ${shown} |`;
  });
  if (rows.length === 0) return 'Nothing measured is beyond its limit.';
  const head =
    after === null
      ? ['| figure | now |', '| --- | ---: |']
      : ['| figure | before | after | |', '| --- | ---: | ---: | ---: |'];
  return [...head, ...rows].join('\n');
}

/** What was found and is in no batch, with the reason: folded, the first ones only. */
export function renderLeftOut(plan: Plan): string {
  if (plan.leftOut.length === 0) return '';
  const lines = plan.leftOut.map(({ finding, reason }) => {
    const names = finding.symbols.slice(0, 4).map(shortCode).join(', ');
    const limit = finding.threshold > 0 ? ` (${finding.measured}, limit ${finding.threshold})` : '';
    return `- ${shortCode(finding.path)} ${finding.rule}${names === '' ? '' : ` ${names}`}${limit}: ${words(reason)}`;
  });
  const shown = fitLines(lines, MAX_LEFT_OUT, (count) => `- … and ${count} more`);
  return `<details><summary>${plan.leftOut.length} findings left alone, with the reason</summary>\n\n${shown.join('\n')}\n\n</details>`;
}

/** `npm test passed (41 tests, 2.1 s)`. */
export function renderCheck(check: CheckSummary): string {
  const tests = check.tests === null ? '' : `${check.tests.passed} passed, ${check.tests.failed} failed, `;
  return `${shortCode(check.command)} ${check.outcome} (${tests}${(check.durationMs / 1000).toFixed(1)} s)`;
}

export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
