import { FIGURES, FIGURE_NAMES, type FigureName } from '../../domain/figures.ts';
import type { CodeIndex } from '../../domain/code-index.ts';

type Measured = Pick<CodeIndex, 'figures' | 'skipped'>;

/**
 * Why a tree is not better than the one before: a named figure that did not fall, any that rose, or files that cannot be measured any
 * more, which would make every figure fall. Empty when it is.
 */
export function checkImprovement(improves: readonly FigureName[], before: Measured, after: Measured): string[] {
  const [old, now] = [before.figures, after.figures];
  const unmoved = improves.filter((name) => now[name] >= old[name]);
  const worse = FIGURE_NAMES.filter((name) => now[name] > old[name] && !unmoved.includes(name));
  const hidden = unmeasured(after) - unmeasured(before);
  return [
    ...unmoved.map((name) => `${FIGURES[name]} should fall and went from ${old[name]} to ${now[name]}`),
    ...worse.map((name) => `${FIGURES[name]} rose from ${old[name]} to ${now[name]}`),
    ...(hidden > 0 ? [`files that cannot be measured (unparsable, too large or generated) rose by ${hidden}`] : []),
  ];
}

function unmeasured({ skipped }: Measured): number {
  return skipped.unparsed + skipped.tooLarge + skipped.generated;
}
