import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIGURE_NAMES, type FigureName, type Figures } from '../../../../src/domain/figures.ts';
import { checkImprovement } from '../../../../src/pipeline/gate/check-improvement.ts';

const NONE = { unparsed: 0, tooLarge: 0, generated: 0 };
const figures = (change: Partial<Figures> = {}): Figures =>
  ({ ...Object.fromEntries(FIGURE_NAMES.map((name) => [name, 5])), ...change }) as unknown as Figures;
const measured = (change: Partial<Figures> = {}, skipped = NONE) => ({ figures: figures(change), skipped });

describe('checkImprovement', () => {
  const imports: FigureName[] = ['unusedImports'];
  const both: FigureName[] = ['unusedImports', 'unusedDeclarations'];

  it.each<[FigureName[], Partial<Figures>, string[]]>([
    [imports, { unusedImports: 4 }, []],
    [imports, { unusedImports: 4, longFunctions: 0 }, []],
    [imports, {}, ['unused imported names should fall and went from 5 to 5']],
    [imports, { unusedImports: 6 }, ['unused imported names should fall and went from 5 to 6']],
    [imports, { unusedImports: 4, valueCycles: 6 }, ['import cycles at run time rose from 5 to 6']],
    [both, { unusedImports: 0 }, ['private top-level declarations that nothing uses should fall and went from 5 to 5']],
  ])('of %j from 5 to %j', (improves, after, expected) => {
    expect(checkImprovement(improves, measured(), measured(after))).toEqual(expected);
  });

  it.each(['unparsed', 'tooLarge', 'generated'] as const)(
    'refuses figures that fell because files are %s now',
    (why) => {
      const after = measured({ longFunctions: 0 }, { ...NONE, [why]: 1 });
      expect(checkImprovement(['longFunctions'], measured(), after)).toEqual([
        'files that cannot be measured (unparsable, too large or generated) rose by 1',
      ]);
      expect(checkImprovement(['longFunctions'], after, measured({ longFunctions: -1 }))).toEqual([]);
    },
  );

  it('accepts exactly what is better in all that is named and worse in nothing', () => {
    const counts = fc.record(Object.fromEntries(FIGURE_NAMES.map((name) => [name, fc.nat(3)])));
    fc.assert(
      fc.property(counts, counts, fc.subarray([...FIGURE_NAMES], { minLength: 1 }), (before, after, improves) => {
        const better = improves.every((name) => after[name]! < before[name]!);
        const worse = FIGURE_NAMES.some((name) => after[name]! > before[name]!);
        const problems = checkImprovement(improves, measured(before), measured(after));
        expect(problems.length === 0).toBe(better && !worse);
      }),
    );
  });
});
