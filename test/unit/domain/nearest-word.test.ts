import { expect, test } from 'vitest';

import { nearestWord } from '../../../src/domain/nearest-word.ts';

const words = ['plan', 'run', 'approve', 'status', 'cancel', 'help'] as const;

test.each([
  ['paln', 'plan'],
  ['aprove', 'approve'],
  ['aproove', 'approve'],
  ['STAUTS', 'status'],
  ['cancle', 'cancel'],
  ['rn', 'run'],
  ['halp', 'help'],
])('%s is %s', (given, meant) => {
  expect(nearestWord(given, words)).toBe(meant);
});

test.each(['', 'x', 'config', 'rollback', 'please', 'a'.repeat(10_000)])('%s is near nothing', (given) => {
  expect(nearestWord(given, words)).toBeNull();
});
