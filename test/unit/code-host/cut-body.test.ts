import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { cutBody } from '../../../src/code-host/cut-body.ts';

test('a body that fits is left alone', () => {
  const body = 'x'.repeat(65_535);
  expect(cutBody(body)).toBe(body);
});

test('a long body is cut at a line and says so', () => {
  const cut = cutBody('| a row |\n'.repeat(10_000));
  expect(cut.length).toBeLessThanOrEqual(65_535);
  expect(cut).toMatch(/\| a row \|\n\n…\n\n\*Cut here/);
});

test('a code block that the cut left open is closed', () => {
  const cut = cutBody(`text\n\`\`\`\`diff\n${'+ line\n'.repeat(20_000)}\`\`\`\`\n`);
  expect(cut).toContain('\n````\n\n…');
});

test('is never too long and never ends in half a character', () => {
  const unit = fc.constantFrom('😀', 'a', '\n', '```\n', '   ```` \n');
  fc.assert(
    fc.property(
      fc.array(unit, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 60_000, max: 80_000 }),
      (parts, length) => {
        const cut = cutBody(parts.join('').repeat(length / parts.length));
        expect(cut.length).toBeLessThanOrEqual(65_535);
        expect(cut.isWellFormed()).toBe(true);
      },
    ),
    { numRuns: 50 },
  );
});
