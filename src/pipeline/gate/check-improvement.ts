import { FIGURES, FIGURE_NAMES, type FigureName, type Figures } from '../../domain/figures.ts';

/** Why a tree is not better than the one before: a named figure that did not fall, or any that rose. Empty when it is. */
export function checkImprovement(improves: readonly FigureName[], before: Figures, after: Figures): string[] {
  const unmoved = improves.filter((name) => after[name] >= before[name]);
  const worse = FIGURE_NAMES.filter((name) => after[name] > before[name]);
  return [
    ...unmoved.map((name) => `${FIGURES[name]} should fall and went from ${before[name]} to ${after[name]}`),
    ...worse
      .filter((name) => !unmoved.includes(name))
      .map((name) => `${FIGURES[name]} rose from ${before[name]} to ${after[name]}`),
  ];
}
