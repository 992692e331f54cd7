import markdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import type { LedgerEvent, LedgerRecord } from '../../../../src/domain/ledger.ts';
import { FIGURE_NAMES, type Figures } from '../../../../src/domain/figures.ts';
import { batchIdFor, runIdFor, toCommitId, toTreeId } from '../../../../src/domain/ids.ts';
import { foldRun, type RunView } from '../../../../src/domain/run-view.ts';
import type { Plan } from '../../../../src/domain/plan.ts';
import { renderReport, renderTitle } from '../../../../src/pipeline/delivery/render-report.ts';
import { renderStatus } from '../../../../src/pipeline/delivery/render-status.ts';
import { samplePlan, sampleRepository } from '../../../support/sample-run.ts';

const START = Date.parse('2026-11-22T01:00:00.000Z');
const NOW = new Date(START + 3_600_000);
const HOSTILE =
  '<img src=x onerror=alert(1)> @victim owner/name#1 [x](javascript:1) https://evil.example | cell `code\u202e` --> </details>';
const figures = (count: number) => Object.fromEntries(FIGURE_NAMES.map((name) => [name, count])) as unknown as Figures;
const tree = (ordinal: number) => toTreeId(ordinal.toString(16).padStart(40, '0'));
const check = (command = 'npm test') => ({
  command,
  outcome: 'passed' as const,
  durationMs: 2100,
  tests: { passed: 41, failed: 0, skipped: 1 },
});

function view(...events: readonly LedgerEvent[]): RunView {
  const request: Extract<LedgerEvent, { type: 'run-requested' }> = {
    type: 'run-requested',
    request: {
      id: runIdFor('delivery', new Date(START)),
      repository: sampleRepository,
      trigger: 'label',
      issueNumber: 12,
      requestedBy: 'maintainer',
      request: HOSTILE,
      commentId: null,
      requestedAt: new Date(START).toISOString(),
    },
  };
  return foldRun(
    [request, ...events].map((event, index): LedgerRecord => ({
      seq: index + 1,
      version: 1,
      at: new Date(START + index * 1000).toISOString(),
      event,
    })),
  );
}

const opening: readonly LedgerEvent[] = [
  { type: 'state-entered', state: 'preparing' },
  { type: 'prepared', baseCommit: toCommitId('a'.repeat(40)), branch: 'refactor-bot/x', backupBytes: 1 },
  { type: 'state-entered', state: 'baseline' },
  {
    type: 'baseline-recorded',
    green: true,
    environment: { variables: {}, toolchain: 'node 24.21.0', sandbox: 'bubblewrap' },
    checks: [check()],
    knownFailures: 2,
    flaky: ['a.test.ts > sometimes'],
  },
  { type: 'state-entered', state: 'indexing' },
  { type: 'indexed', figures: figures(9), files: 10, findings: 3 },
  { type: 'state-entered', state: 'planning' },
];

function planOf(batches: number, goal = 'goal'): Plan {
  const plan = samplePlan(batches);
  return { ...plan, batches: plan.batches.map((batch, index) => ({ ...batch, goal: `${goal} ${index + 1}` })) };
}

const kept = (ordinal: number, evidence = '0 new diagnostics in 5 files'): LedgerEvent => ({
  type: 'batch-kept',
  checkpoint: {
    batch: batchIdFor(ordinal),
    commit: toCommitId(ordinal.toString(16).padStart(40, 'c')),
    tree: tree(ordinal),
    attempt: 1,
    stat: { files: 2, added: 3, removed: 4 },
    proofs: [{ name: 'no-new-diagnostics', held: true, evidence }],
    figuresBefore: figures(9),
    figuresAfter: figures(8),
  },
  checks: [check(), check('npm run lint')],
});
const failed = (ordinal: number, reason: string): LedgerEvent[] => [
  {
    type: 'attempt-failed',
    batch: batchIdFor(ordinal),
    attempt: 1,
    failure: { stage: 'verify', reasons: [reason, reason] },
  },
  { type: 'batch-failed', batch: batchIdFor(ordinal), attempts: 1, reason },
];
const enter = (...states: readonly RunView['state'][]): LedgerEvent[] =>
  states.map((state) => ({ type: 'state-entered', state }));

describe('the report', () => {
  const full = (ordinal: number, passed: boolean): LedgerEvent => ({
    type: 'fully-verified',
    tree: tree(ordinal),
    passed,
    checks: [{ ...check('npm run everything'), outcome: passed ? 'passed' : 'failed' }],
  });
  const run = view(
    ...opening,
    {
      type: 'planned',
      plan: {
        ...planOf(4),
        leftOut: [
          {
            finding: {
              rule: 'file-too-long',
              path: 'src/x.ts',
              symbols: [],
              figure: 'linesOverLimit',
              measured: 500,
              threshold: 400,
              weight: 1,
            },
            reason: 'no mechanical operation fits',
          },
        ],
      },
    },
    ...enter('executing'),
    kept(1),
    full(1, true),
    ...failed(2, 'a test fails'),
    kept(3),
    full(3, false),
    { type: 'batches-dropped', batches: [batchIdFor(3)], reason: 'the full verifier fails with it' },
    { type: 'batch-noop', batch: batchIdFor(4), reason: 'nothing to change' },
    ...enter('finalizing'),
    {
      type: 'measured',
      head: toCommitId('c'.repeat(39) + '1'),
      figures: { ...figures(9), unusedImports: 4, valueCycles: 10 },
      stat: { files: 2, added: 3, removed: 4 },
    },
  );
  const report = renderReport(run);

  it('says what stands, how large it is and what it was measured by', () => {
    expect(report).toContain('1 of 4 planned batches, one commit each');
    expect(report).toContain('2 files, +3 −4 lines.');
    expect(report).toContain('| 1 | goal 1 | 2 | +3 −4 | 1 | passed |');
    expect(report).toContain('| unused imported names | 9 | 4 | **−5** |');
    expect(report).toContain('| import cycles at run time | 9 | 10 | **+1** |');
    expect(report).toContain('| functions over the length limit | 9 | 9 | = |');
    expect(report).toContain('in #12');
    expect(report).toContain('2 failing tests; the same ones fail now');
    expect(report).toContain('`a.test.ts > sometimes`');
  });

  it('shows the full verifier of what stands, not of what was dropped', () => {
    expect(report).toContain('`npm run everything` passed');
    expect(report).not.toContain('`npm run everything` failed');
  });

  it('names what is not kept, with every reason', () => {
    expect(report).toContain('- **failed**: goal 2: a test fails\n  - attempt 1, verify: a test fails');
    expect(report).toContain('- **dropped**: goal 3: the full verifier fails with it');
    expect(report).toContain('- **noop**: goal 4: nothing to change');
    expect(report).toContain('`src/x.ts` file-too-long (500, limit 400): no mechanical operation fits');
  });

  it('has a title for one batch and for several', () => {
    expect(renderTitle(run)).toBe('refactor: goal 1');
    expect(
      renderTitle(view(...opening, { type: 'planned', plan: planOf(2) }, ...enter('executing'), kept(1), kept(2))),
    ).toBe('refactor: 2 verified batches');
    const long = view(
      ...opening,
      { type: 'planned', plan: planOf(1, `\u202e${'x'.repeat(300)}`) },
      ...enter('executing'),
      kept(1),
    );
    expect(renderTitle(long)).toMatch(/^refactor: x{109}…$/);
  });
});

describe('the status comment', () => {
  it.each<[string, LedgerEvent[], string]>([
    ['queued', [], 'waiting for its turn'],
    ['preparing', enter('preparing'), 'preparing a clone'],
    [
      'waiting',
      [...opening, { type: 'planned', plan: planOf(2) }, ...enter('awaiting_approval')],
      '`/refactor approve 0123abcdef` to run all of it',
    ],
    ['cancelled', [{ type: 'cancelled', by: 'someone' }, ...enter('cancelled')], 'Cancelled by `someone`'],
    [
      'done',
      [...opening, { type: 'completed', why: 'nothing-to-do', message: 'Nothing to do.' }, ...enter('completed')],
      '**Nothing to do.**',
    ],
    [
      'failed',
      [
        {
          type: 'failed',
          code: 'baseline-red',
          category: 'repository',
          message: 'It is red.',
          evidence: '```\n<b>out</b>',
        },
        ...enter('failed'),
      ],
      '**It is red.**\n\n````text\n```\n<b>out</b>\n````',
    ],
    [
      'in review',
      [
        ...opening,
        ...enter('executing', 'finalizing'),
        { type: 'pull-request-opened', number: 7, url: 'x' },
        ...enter('in_review'),
      ],
      'Review it in #7.',
    ],
  ])('of a run that is %s', (_, events, expected) => {
    expect(renderStatus(view(...events), NOW)).toContain(expected);
  });

  it('is a checklist while it works, with the attempt that is made', () => {
    const [first] = failed(2, 'red');
    const status = renderStatus(
      view(...opening, { type: 'planned', plan: planOf(4) }, ...enter('executing'), kept(1), first!),
      NOW,
    );
    expect(status).toContain('1. ✓ goal 1 — `cccccccccc` (+3 −4)');
    expect(status).toContain('2. ▸ **goal 2** — at work, attempt 2');
    expect(status).toContain('3. goal 3 (risk 1, up to 100 lines)');
    expect(status).toContain('at work for 59 min 59 s');
  });
});

describe('at their largest', () => {
  const long = 'wörd | `x` '.repeat(200);
  const plan = planOf(200, HOSTILE + long);
  const finding = {
    rule: 'file-too-long',
    path: `src/${'x'.repeat(3000)}.ts`,
    symbols: [long, long],
    figure: 'linesOverLimit',
    measured: 500,
    threshold: 400,
    weight: 1,
  } as const;
  const large = (mixed: boolean) =>
    view(
      ...opening,
      {
        type: 'planned',
        plan: { ...plan, leftOut: Array.from({ length: 500 }, () => ({ finding, reason: HOSTILE + long })) },
      },
      ...enter('executing'),
      ...plan.batches.flatMap((_, index) =>
        mixed && index % 2 === 0 ? failed(index + 1, HOSTILE + long) : [kept(index + 1, HOSTILE + long)],
      ),
    );

  it.each([
    ['report of all kept', () => renderReport(large(false))],
    ['report of half failed', () => renderReport(large(true))],
    ['status of all kept', () => renderStatus(large(false), NOW)],
    ['status of half failed', () => renderStatus(large(true), NOW)],
  ])('the %s fits the code host, does nothing and still says what is missing', (_, render) => {
    const body = render();
    expect(body.length).toBeLessThan(65_535);
    expect(body).toMatch(/and \d+ more|\d+ more, each/);
    const html = markdownIt({ html: true, linkify: true }).render(body);
    const tags = new Set([...html.matchAll(/<([a-z0-9]+)/g)].map((match) => match[1]));
    expect([...tags].filter((tag) => ['img', 'a', 'script', 'iframe'].includes(tag ?? ''))).toEqual([]);
    // As many as the renderer opened: hostile text closes none.
    expect(body.match(/<\/details>/g)).toHaveLength(body.match(/<details>/g)?.length ?? 0);
    expect(html.replaceAll(/<code>[^<]*<\/code>/g, '')).not.toMatch(/@victim|name#1|\u202e/);
  });
});
