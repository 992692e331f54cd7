import { expect, it } from 'vitest';
import { findRanges } from '../../../../src/pipeline/gate/source-ranges.ts';

const TEXT = `import { x, type Y as Z } from './x.ts';

/** Says
 *  something. */
export const arrow = () => {
  return x;
};

class Box {
  // opens it
  open() {
    function inner() {}
    return inner;
  }
}

export { Box };
`;

it('finds declarations and members with their comments, links, imports and statements', () => {
  const ranges = findRanges('a.ts', TEXT);
  const named = new Map(ranges?.named.map(({ name, start, end }) => [name, [start, end]]));
  expect(Object.fromEntries(named)).toMatchObject({ arrow: [3, 7], Box: [9, 15], open: [10, 14], inner: [12, 12] });
  expect(ranges?.links).toEqual([
    { start: 1, end: 1 },
    { start: 17, end: 17 },
  ]);
  expect(ranges?.linked).toEqual(['x', 'Z', 'Box']);
  expect(ranges?.statements.map(({ start }) => start)).toEqual([1, 5, 9, 17]);
});

it('has no ranges for what it cannot read', () => {
  expect(findRanges('a.py', 'def x(): pass')).toBeNull();
  expect(findRanges('a.ts', 'const = ;')).toBeNull();
});
