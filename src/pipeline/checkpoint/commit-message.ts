import type { Batch } from '../../domain/plan.ts';
import { FIGURES, FIGURE_NAMES, type Figures } from '../../domain/figures.ts';
import type { CheckSummary } from '../../domain/ledger.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Proof } from '../../domain/patch.ts';
import type { RunId } from '../../domain/ids.ts';

/** What a checkpoint's commit says. */
export interface CheckpointFacts {
  readonly run: RunId;
  readonly batch: Batch;
  /** Counts from 1. */
  readonly attempt: number;
  /** Every path the commit touches. */
  readonly files: readonly string[];
  readonly proofs: readonly Proof[];
  readonly figuresBefore: Figures;
  readonly figuresAfter: Figures;
  readonly checks: readonly CheckSummary[];
}

const SUBJECT_WIDTH = 72;
const BODY_WIDTH = 72;
/** Folders that say nothing about what lies in them. */
const NAMELESS_FOLDERS: ReadonlySet<string> = new Set(['src', 'lib', 'source', 'packages', 'apps', 'libs']);

/** Pure: the same facts give the same bytes, so that committing again gives the same commit. */
export function renderCommitMessage(facts: CheckpointFacts): string {
  const goal = oneLine(facts.batch.goal);
  const prefix = `refactor(${scopeName(facts.files)}): `;
  const subject = prefix + cutAtWord(goal, SUBJECT_WIDTH - prefix.length);
  const goalParagraph = subject === prefix + goal ? [] : [wrap(goal)];
  const paragraphs = [subject, ...goalParagraph, whyParagraph(facts), proofParagraph(facts), checkParagraph(facts)];
  return `${[...paragraphs, trailers(facts)].filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

/** The deepest folder that all files share, by the last of its names that says something: `packages/api/src` is `api`. */
export function scopeName(files: readonly string[]): string {
  const [first = [], ...others] = files.map((file) => file.split('/').slice(0, -1));
  const length = first.findIndex((part, index) => others.some((parts) => parts[index] !== part));
  const folder = length < 0 ? first : first.slice(0, length);
  const name = folder.findLast((part) => !NAMELESS_FOLDERS.has(part)) ?? folder.at(-1) ?? 'repo';
  return oneLine(name)
    .replaceAll(/[^\w.@-]/g, '-')
    .slice(0, 30);
}

function whyParagraph({ batch, figuresBefore, figuresAfter }: CheckpointFacts): string {
  const findings = batch.findings.slice(0, 10).map((finding) => item(describeFinding(finding)));
  const changed = FIGURE_NAMES.filter((name) => figuresBefore[name] !== figuresAfter[name]);
  const figures = changed.map((name) => item(`${FIGURES[name]}: ${figuresBefore[name]} -> ${figuresAfter[name]}`));
  return section('Why', findings) + (figures.length > 0 ? section('\n\nFigures', figures) : '');
}

function describeFinding({ rule, path, symbols, measured, threshold }: Finding): string {
  const names = symbols.length === 0 ? '' : ` (${symbols.slice(0, 5).join(', ')})`;
  return `${rule} in ${path}${names}: ${measured}, limit ${threshold}`;
}

function proofParagraph({ proofs }: CheckpointFacts): string {
  return section(
    'Proofs',
    proofs.map(({ name, held, evidence }) => item(`${name}${held ? '' : ' (not held)'}: ${evidence}`)),
  );
}

function checkParagraph({ checks }: CheckpointFacts): string {
  return section(
    'Checks',
    checks.map(({ command, outcome, tests }) => {
      const counts = tests === null ? '' : `, ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`;
      return item(`${command}: ${outcome}${counts}`);
    }),
  );
}

function section(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}:\n${items.join('\n')}`;
}

function item(text: string): string {
  return `- ${oneLine(text).slice(0, 500)}`;
}

/** The last paragraph: what `readCheckpoints` needs to go on from git alone. One line each, JSON where it has structure. */
function trailers({ run, batch, attempt, proofs, figuresBefore, figuresAfter }: CheckpointFacts): string {
  const recipe = batch.recipe === null ? [] : [`Refactor-Recipe: ${sortedJson(batch.recipe)}`];
  return [
    `Refactor-Run: ${run}`,
    `Refactor-Batch: ${batch.id}`,
    `Refactor-Attempt: ${attempt}`,
    ...recipe,
    ...proofs.map((proof) => `Refactor-Proof: ${sortedJson({ ...proof, evidence: oneLine(proof.evidence) })}`),
    `Refactor-Figures: ${sortedJson({ before: figuresBefore, after: figuresAfter })}`,
  ].join('\n');
}

/** JSON escapes line breaks, so it stays on its line whatever it holds. */
function sortedJson(value: object): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Goals, paths and evidence come from outside: a line break in one must not make a trailer. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

function cutAtWord(text: string, width: number): string {
  if (text.length <= width) return text;
  const cut = text.slice(0, width + 1);
  const space = cut.lastIndexOf(' ');
  return (space > 0 ? cut.slice(0, space) : cut.slice(0, width)).replace(/[\s,;:]+$/, '');
}

function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > BODY_WIDTH) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join('\n');
}
