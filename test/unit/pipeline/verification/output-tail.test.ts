import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { outputTail } from '../../../../src/pipeline/verification/output-tail.ts';

it('drops colours, control characters, hidden characters and rewritten progress', () => {
  const link = '\u001b]8;;http://x\u0007text\u001b]8;;\u0007';
  expect(outputTail(`\u001b[31mred\u001b[0m\u0000 a\u200Bb\u202Ec ${link}\r\n10%\r50%\rdone\n\n`)).toBe(
    'red abc text\ndone',
  );
});

it('keeps whole last lines', () => {
  const lines = Array.from({ length: 2000 }, (_, at) => `line ${at}`).join('\n');
  const tail = outputTail(lines);
  expect(tail.startsWith('line ')).toBe(true);
  expect(tail.endsWith('\nline 1999')).toBe(true);
});

it('is short and clean for any output', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30_000, size: 'max' }), (output) => {
      const tail = outputTail(output);
      expect(tail.length).toBeLessThanOrEqual(4000);
      expect(tail).not.toMatch(/[^\P{C}\n\t]/u);
    }),
    { numRuns: 30 },
  );
});
