import { describe, expect, it } from 'vitest';
import type { CodeIndex, IndexedFile } from '../../../../src/domain/code-index.ts';
import { FIGURE_NAMES, type Figures } from '../../../../src/domain/figures.ts';
import { findRefactorings, type FindingOptions } from '../../../../src/pipeline/planning/find-refactorings.ts';

const OPTIONS: FindingOptions = {
  scopeIncludes: [],
  scopeExcludes: [],
  limits: { fileLines: 400, functionLines: 50, classMethods: 15, runMs: 1, checkMs: 1 },
};

function file(path: string, change: Partial<IndexedFile> = {}): IndexedFile {
  return {
    path,
    blob: 'b'.repeat(40),
    lines: 10,
    parsed: true,
    isTest: false,
    functions: [],
    classes: [],
    imports: [],
    unusedImports: [],
    unusedDeclarations: [],
    ...change,
  };
}

function indexOf(files: readonly IndexedFile[], change: Partial<CodeIndex> = {}): CodeIndex {
  return {
    tree: 't'.repeat(40),
    files,
    valueCycles: [],
    importCycles: [],
    churn: {},
    figures: Object.fromEntries(FIGURE_NAMES.map((name) => [name, 0])) as unknown as Figures,
    skipped: { unparsed: 0, tooLarge: 0, generated: 0 },
    ...change,
  };
}

const long = (path: string, lines = 401) => file(path, { lines });
const pathsFound = (index: CodeIndex, options: FindingOptions = OPTIONS, request = '') =>
  findRefactorings(index, options, request).map((finding) => finding.path);

describe('thresholds', () => {
  it('are not passed by what is exactly at them', () => {
    const atLimit = file('src/a.ts', {
      lines: 400,
      functions: [{ name: 'f', startLine: 1, lines: 50 }],
      classes: [{ name: 'C', startLine: 1, methods: 15 }],
    });
    expect(findRefactorings(indexOf([atLimit]), OPTIONS)).toEqual([]);
  });

  it('give each reason of a file its own finding, with its figures', () => {
    const full = file('src/a.ts', {
      lines: 401,
      functions: [{ name: 'f', startLine: 1, lines: 51 }],
      classes: [{ name: 'C', startLine: 1, methods: 16 }],
      unusedImports: ['a', 'b'],
      unusedDeclarations: ['c'],
    });
    const found = findRefactorings(indexOf([full]), OPTIONS);
    expect(
      found.map(({ rule, symbols, figure, measured, threshold }) => [rule, symbols, figure, measured, threshold]),
    ).toEqual(
      expect.arrayContaining([
        ['file-too-long', [], 'linesOverLimit', 401, 400],
        ['function-too-long', ['f'], 'longFunctions', 51, 50],
        ['class-too-large', ['C'], 'largeClasses', 16, 15],
        ['unused-import', ['a', 'b'], 'unusedImports', 2, 0],
        ['unused-declaration', ['c'], 'unusedDeclarations', 1, 0],
      ]),
    );
    expect(found).toHaveLength(5);
    expect(found.every((finding) => finding.weight > 0)).toBe(true);
  });

  it('give nothing for tests and for files that do not parse', () => {
    expect(
      pathsFound(indexOf([file('a.ts', { lines: 900, isTest: true }), file('b.ts', { lines: 900, parsed: false })])),
    ).toEqual([]);
  });

  it('report a cycle at its first member', () => {
    const index = indexOf([file('a.ts'), file('b.ts')], { valueCycles: [['a.ts', 'b.ts']] });
    expect(findRefactorings(index, OPTIONS)).toMatchObject([
      { rule: 'import-cycle', path: 'a.ts', symbols: ['b.ts'], figure: 'valueCycles' },
    ]);
  });
});

describe('order', () => {
  it('puts the heavier first, and of the equally heavy the first by path', () => {
    expect(pathsFound(indexOf([long('b.ts'), long('a.ts'), long('c.ts', 600)]))).toEqual(['c.ts', 'a.ts', 'b.ts']);
  });

  it('makes what must be split heavier than twice as long', () => {
    const [must, should] = findRefactorings(indexOf([long('a.ts', 801), long('b.ts', 800)]), OPTIONS);
    expect(must?.path).toBe('a.ts');
    expect(must!.weight / should!.weight).toBeGreaterThan(1.9);
  });

  it('puts what changes often before what is longer and never touched', () => {
    expect(pathsFound(indexOf([long('still.ts', 500), long('busy.ts', 450)], { churn: { 'busy.ts': 30 } }))).toEqual([
      'busy.ts',
      'still.ts',
    ]);
  });
});

describe('scope', () => {
  const index = indexOf([long('src/a.ts'), long('lib/b.ts'), long('app/[id]/c.ts')], {
    valueCycles: [['lib/b.ts', 'src/a.ts']],
  });

  it.each<[string, Partial<FindingOptions>, string[]]>([
    ['an included folder', { scopeIncludes: ['src/**'] }, ['src/a.ts']],
    ['an excluded folder', { scopeExcludes: ['src/**', 'lib/**'] }, ['app/[id]/c.ts']],
    [
      'an excluded one within an included one',
      { scopeIncludes: ['**'], scopeExcludes: ['**/[a-b].ts'] },
      ['app/[id]/c.ts'],
    ],
    ['a path with brackets, by itself', { scopeIncludes: ['app/[id]/c.ts'] }, ['app/[id]/c.ts']],
    ['a glob with !, which negates nothing', { scopeIncludes: ['!src/**'] }, []],
  ])('is kept: %s', (_, options, expected) => {
    expect([...new Set(pathsFound(index, { ...OPTIONS, ...options }))]).toEqual(expected);
  });

  it('is what was asked for, and never more than what is configured', () => {
    expect(pathsFound(index, OPTIONS, 'only src/ please')).toEqual(['src/a.ts']);
    expect(pathsFound(index, { ...OPTIONS, scopeIncludes: ['src/**'] }, 'lib/b.ts')).toEqual([]);
  });

  it('has a cycle only with all its members', () => {
    const rules = (request: string) => findRefactorings(index, OPTIONS, request).map((finding) => finding.rule);
    expect(rules('')).toContain('import-cycle');
    expect(rules('src/a.ts lib/')).toContain('import-cycle');
    expect(rules('src/a.ts')).not.toContain('import-cycle');
  });
});
