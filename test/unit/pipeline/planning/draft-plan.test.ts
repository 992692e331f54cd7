import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import type { Candidate, Declined, Detection } from '../../../../src/operations/operations.ts';
import type { Finding } from '../../../../src/domain/finding.ts';
import type { MechanicalOperation } from '../../../../src/domain/plan.ts';
import { toCommitId } from '../../../../src/domain/ids.ts';
import { resolveOptions } from '../../../../src/config/resolve-options.ts';
import { draftPlan, type PlanInput } from '../../../../src/pipeline/planning/draft-plan.ts';

const NO_CAPS = { maxBatches: 200, runMinutes: 1440, checkMinutes: 120 };
const { options } = resolveOptions({ operator: {}, repository: {}, request: {} }, NO_CAPS);

const unusedImport = (path: string, weight = 1): Finding => ({
  rule: 'unused-import',
  path,
  symbols: ['a'],
  figure: 'unusedImports',
  measured: 1,
  threshold: 0,
  weight,
});
const tooLong = (path: string): Finding => ({
  ...unusedImport(path),
  rule: 'file-too-long',
  symbols: [],
  figure: 'linesOverLimit',
  measured: 500,
  threshold: 400,
});

function candidate(operation: MechanicalOperation, path: string, change: Partial<Candidate> = {}): Candidate {
  return {
    recipe: { operation, engine: 'test/1', files: [path], inputs: {} },
    goal: `${operation} in ${path}`,
    files: [path],
    diffLines: 10,
    ...change,
  };
}

const imports = (path: string, change: Partial<Candidate> = {}) => candidate('remove-unused-imports', path, change);

function plan(change: Partial<Omit<PlanInput, 'detection'>> & Partial<Detection> = {}) {
  const { candidates = [], declined = [], ...input } = change;
  return draftPlan({
    baseCommit: toCommitId('a'.repeat(40)),
    request: '',
    findings: [unusedImport('src/a.ts')],
    options,
    busyFiles: new Set(),
    ...input,
    detection: { engine: 'test/1', candidates, declined },
  });
}

describe('a batch', () => {
  it('says what it does, where, how large it may be and what it must improve', () => {
    const { batches, leftOut } = plan({ candidates: [imports('src/a.ts')] });
    expect(leftOut).toEqual([]);
    expect(batches).toEqual([
      {
        id: 'batch-001',
        goal: 'remove-unused-imports in src/a.ts',
        scope: ['src/a.ts'],
        operations: ['organize-imports'],
        diffBudgetLines: 32,
        risk: 5,
        verifier: 'fast',
        findings: [unusedImport('src/a.ts')],
        improves: ['unusedImports'],
        dependsOn: [],
        recipe: imports('src/a.ts').recipe,
      },
    ]);
  });

  it('has a scope of exactly its files, whatever characters they hold', () => {
    const paths = [
      'app/[id]/(group)/page.ts',
      'a*b.ts',
      'a{b,c}.ts',
      '!x.ts',
      'q?.ts',
      '@(a|b).ts',
      '+page.ts',
      'back\\slash.ts',
    ];
    for (const path of paths) {
      const [batch] = plan({ findings: [unusedImport(path)], candidates: [imports(path)] }).batches;
      const inScope = picomatch([...batch!.scope], { dot: true, nonegate: true });
      expect(paths.filter((other) => inScope(other))).toEqual([path]);
      expect(inScope('app/i/group/page.ts') || inScope('ab.ts') || inScope('b.ts')).toBe(false);
    }
  });

  it('never gets more room than the configuration gives', () => {
    const tight = { ...options, diffBudgetLines: 15 };
    expect(
      plan({ options: tight, candidates: [imports('src/a.ts', { diffLines: 15 })] }).batches[0]?.diffBudgetLines,
    ).toBe(15);
  });

  it('answers the findings of its files and rule alone', () => {
    const findings = [unusedImport('src/a.ts'), unusedImport('src/b.ts'), tooLong('src/a.ts')];
    const { batches, leftOut } = plan({ findings, candidates: [imports('src/a.ts')] });
    expect(batches[0]?.findings).toEqual([findings[0]]);
    expect(leftOut.map((entry) => entry.finding)).toEqual([findings[1], findings[2]]);
  });

  it('is not made for what nothing measured', () => {
    expect(plan({ candidates: [imports('src/other.ts')] }).batches).toEqual([]);
  });
});

describe('what is left out', () => {
  const declined = (change: Partial<Declined>): Declined => ({
    operation: 'remove-unused-imports',
    path: 'src/a.ts',
    symbols: [],
    reason: 'side-effect-import',
    detail: '',
    ...change,
  });
  const cycle: Finding = { ...unusedImport('src/a.ts'), rule: 'import-cycle', figure: 'valueCycles' };

  it.each<[string, Parameters<typeof plan>[0], string]>([
    [
      'another pull request',
      { busyFiles: new Set(['src/a.ts']), candidates: [imports('src/a.ts')] },
      'the file is in another open pull request',
    ],
    [
      'a file it would touch in another pull request',
      { busyFiles: new Set(['src/b.ts']), candidates: [imports('src/a.ts', { files: ['src/a.ts', 'src/b.ts'] })] },
      'the file is in another open pull request',
    ],
    ['no operation for the rule', { findings: [cycle] }, 'needs judgement: no mechanical operation answers it'],
    [
      'its operation off',
      { options: { ...options, operations: ['split-types'] } },
      'the operation remove-unused-imports is switched off',
    ],
    [
      'its size',
      { candidates: [imports('src/a.ts', { diffLines: 901 })] },
      '901 changed lines are over the diff budget of 900',
    ],
    [
      'the cap',
      {
        options: { ...options, maxBatches: 1 },
        findings: [unusedImport('src/a.ts'), unusedImport('src/b.ts', 9)],
        candidates: [imports('src/a.ts'), imports('src/b.ts')],
      },
      'over the cap of 1 batches',
    ],
    [
      'a decline',
      { declined: [declined({ symbols: ['a', 'b'], detail: 'src/x.ts needs it' })] },
      'side-effect-import: a, b — src/x.ts needs it',
    ],
    [
      'several declines',
      { declined: [declined({ symbols: ['a'] }), declined({ reason: 'unreadable', detail: 'too deep' })] },
      'side-effect-import: a; unreadable: too deep',
    ],
    ['a decline of another file', { declined: [declined({ path: 'src/b.ts' })] }, 'no mechanical operation fits'],
    ['nothing said', {}, 'no mechanical operation fits'],
  ])('names its reason: %s', (_, input, reason) => {
    expect(plan(input).leftOut).toMatchObject([{ finding: { path: 'src/a.ts' }, reason }]);
  });
});

describe('order and hash', () => {
  const both = [unusedImport('src/a.ts'), tooLong('src/a.ts')];
  const split = candidate('split-types', 'src/a.ts');

  it('goes by the risk of the operation, whatever weighs more', () => {
    const { batches } = plan({
      findings: [unusedImport('src/a.ts', 0.1), { ...tooLong('src/a.ts'), weight: 99 }],
      candidates: [split, imports('src/a.ts')],
    });
    expect(batches.map((batch) => [batch.id, batch.operations[0]])).toEqual([
      ['batch-001', 'organize-imports'],
      ['batch-002', 'split-module'],
    ]);
  });

  it('is the same for the same input in another order', () => {
    const one = plan({ findings: both, candidates: [split, imports('src/a.ts')] });
    const other = plan({ findings: both.toReversed(), candidates: [imports('src/a.ts'), split] });
    expect(other.hash).toBe(one.hash);
    expect(other.batches).toEqual(one.batches);
    expect(one.hash).toMatch(/^[0-9a-f]{10}$/);
  });

  it('changes its hash with batches, budgets, base and request, and with nothing else', () => {
    const base = { candidates: [imports('src/a.ts')] };
    const { hash } = plan(base);
    const inputs = (values: Record<string, string>) => ({
      candidates: [imports('src/a.ts', { recipe: { ...imports('src/a.ts').recipe, inputs: values } })],
    });
    const changed = [
      plan({ ...base, baseCommit: toCommitId('b'.repeat(40)) }),
      plan({ ...base, request: 'src/a.ts' }),
      plan({ candidates: [imports('src/a.ts', { diffLines: 11 })] }),
      plan({ candidates: [imports('src/a.ts', { goal: 'another goal' })] }),
      plan({ candidates: [imports('src/a.ts', { files: ['src/a.ts', 'src/new.ts'] })] }),
      plan(inputs({ target: 'src/b.ts' })),
      plan({}),
    ].map((entry) => entry.hash);
    expect(new Set([hash, ...changed]).size).toBe(changed.length + 1);
    expect(plan({ ...base, findings: [unusedImport('src/a.ts'), tooLong('src/z.ts')] }).hash).toBe(hash);
    expect(plan({ ...base, busyFiles: new Set(['src/z.ts']) }).hash).toBe(hash);
    expect(plan(inputs({ b: '1', a: '2' })).hash).toBe(plan(inputs({ a: '2', b: '1' })).hash);
  });
});
