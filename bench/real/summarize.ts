import { FIGURE_NAMES, type FigureName } from '../../src/domain/figures.ts';
import { standingCheckpoints } from '../../src/domain/run-view.ts';
import type { MechanicalOperation } from '../../src/domain/plan.ts';
import type { MergedCheck } from './check-merged.ts';
import type { Played } from './play-repository.ts';
import type { Timing } from './stopwatch.ts';

/** One line of the table, and everything behind it. Plain JSON. */
export interface Summary {
  readonly repository: string;
  readonly commit: string;
  readonly style: string;
  readonly options: unknown;
  /** `merged`, or how the run ended without a pull request. */
  readonly ending: string;
  readonly findings: number;
  readonly planned: number;
  readonly kept: readonly {
    readonly goal: string;
    readonly operation: MechanicalOperation | null;
    readonly diff: string;
  }[];
  readonly notKept: readonly { readonly goal: string; readonly reason: string }[];
  readonly leftOut: Readonly<Record<string, number>>;
  readonly attempts: number;
  readonly merged: MergedCheck | null;
  readonly timing: Timing;
}

export function summarize({ listed, view, timing, merged }: Played): Summary {
  const { plan, batches } = view;
  const reasons = (plan?.leftOut ?? []).map(({ reason }) => reason.split(':')[0] ?? reason);
  const failed = view.ending?.type === 'failed' ? view.ending.message : null;
  const completed = view.ending?.type === 'completed' ? view.ending.message : null;
  return {
    repository: listed.name,
    commit: listed.commit,
    style: listed.style,
    options: listed.options,
    ending: merged === null ? (failed ?? completed ?? view.state) : 'merged',
    findings: batches.flatMap((entry) => entry.batch.findings).length + (plan?.leftOut.length ?? 0),
    planned: batches.length,
    kept: batches.flatMap(({ status, batch, checkpoint }) =>
      status === 'kept' && checkpoint !== null
        ? [
            {
              goal: batch.goal,
              operation: batch.recipe?.operation ?? null,
              diff: `+${checkpoint.stat.added} −${checkpoint.stat.removed}`,
            },
          ]
        : [],
    ),
    notKept: batches
      .filter(({ status }) => status !== 'kept')
      .map(({ batch, reason, status }) => ({ goal: batch.goal, reason: `${status}: ${reason}` })),
    leftOut: Object.fromEntries(
      [...new Set(reasons)].map((reason) => [reason, reasons.filter((r) => r === reason).length]),
    ),
    attempts: standingCheckpoints(view).length + batches.reduce((sum, entry) => sum + entry.failures.length, 0),
    merged,
    timing,
  };
}

/** For `bench/README.md` and the terminal. */
export function renderMarkdown(summaries: readonly Summary[]): string {
  const rows = summaries.map((summary) => row(summaryCells(summary)));
  const times = summaries.map((summary) => row(timeCells(summary)));
  return [
    row([
      'repository',
      'style',
      'findings',
      'planned / kept',
      'kept',
      'figures before → after',
      'tests before → after',
    ]),
    row(['---', '---', '---', '---', '---', '---', '---']),
    ...rows,
    '',
    row([
      'repository',
      'run',
      'install',
      'checks',
      'mechanical engine',
      'loop itself',
      'share',
      ...BATCH_STAGES.map((stage) => `${stage}, s/batch`),
    ]),
    row(['---', '---', '---', '---', '---', '---', '---', ...BATCH_STAGES.map(() => '---')]),
    ...times,
  ].join('\n');
}

/** The stages of one batch, in order. */
const BATCH_STAGES = ['propose', 'review', 'verify', 'measure', 'checkpoint'] as const;

function summaryCells(summary: Summary): string[] {
  const { merged, kept } = summary;
  const operations = [...new Set(kept.map((entry) => entry.operation))];
  const counted = operations.map((name) => `${kept.filter((entry) => entry.operation === name).length} ${name ?? ''}`);
  return [
    `${summary.repository}@${summary.commit.slice(0, 10)}`,
    [summary.style, ...optionWords(summary.options)].join('; '),
    String(summary.findings),
    `${summary.planned} / ${kept.length}`,
    merged === null ? summary.ending : counted.join(', '),
    merged === null ? '' : figureWords(merged),
    merged === null ? '' : testWords(merged),
  ];
}

function optionWords(options: unknown): string[] {
  const text = JSON.stringify(options);
  return text === '{}' ? [] : [`\`${text}\``];
}

function figureWords(merged: MergedCheck): string {
  const changed = FIGURE_NAMES.filter((name) => merged.before[name] !== merged.after[name]);
  const words = changed.map((name) => `${name} ${merged.before[name]} → ${merged.after[name]}`);
  const wrong = (names: readonly FigureName[], what: string) =>
    names.length === 0 ? [] : [`**${what}: ${names.join(', ')}**`];
  return [...words, ...wrong(merged.notLower, 'NOT LOWER'), ...wrong(merged.higher, 'HIGHER')].join('; ');
}

function testWords(merged: MergedCheck): string {
  const as = merged.problems.length === 0 ? 'all as before' : `**${merged.problems.length} problems**`;
  return `${merged.testsBefore} → ${merged.testsAfter}, ${as}`;
}

function timeCells({ repository, timing }: Summary): string[] {
  const share = timing.wallMs === 0 ? 0 : timing.loopMs / timing.wallMs;
  return [
    repository,
    ...[timing.wallMs, timing.installMs, timing.checksMs, timing.engineMs, timing.loopMs].map((ms) => seconds(ms)),
    `${(share * 100).toFixed(1)} %`,
    ...BATCH_STAGES.map((name) => {
      const stage = timing.stages.find((entry) => entry.stage === name);
      return stage === undefined || stage.steps === 0 ? '' : seconds(stage.ownMs / stage.steps);
    }),
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}
