import * as fc from 'fast-check';
import picomatch from 'picomatch';
import { expect, it } from 'vitest';
import { escapeGlob } from '../../../src/domain/globs.ts';

const names = fc
  .array(fc.constantFrom(...'ab.[](){}!@+*?|,-^$\\~'.split('')), { minLength: 1, maxLength: 6 })
  .map((characters) => characters.join(''))
  .filter((name) => !/^\.{1,2}$/.test(name));
const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));

it('an escaped path matches itself and no other', () => {
  fc.assert(
    fc.property(paths, paths, (path, other) => {
      const matches = picomatch(escapeGlob(path), { dot: true, nonegate: true });
      expect(matches(path)).toBe(true);
      expect(matches(other)).toBe(other === path);
    }),
    { numRuns: 2000 },
  );
});

it.each(['(a\\\\', '(/\\', '|/^-\\\\\\'])('%j, whose escaped backslashes would keep picomatch for ever', (path) => {
  expect(picomatch(escapeGlob(path), { dot: true, nonegate: true })(path)).toBe(true);
});
