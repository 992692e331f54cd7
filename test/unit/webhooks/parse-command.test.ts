import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseCommand } from '../../../src/webhooks/parse-command.ts';

const command = (value: object) => ({ kind: 'command', command: value });
const none = { kind: 'none' };

test.each([
  ['/refactor plan', { name: 'plan', request: '' }],
  ['/refactor plan packages/api  tidy   it up ', { name: 'plan', request: 'packages/api  tidy   it up' }],
  ['/refactor run\n\nThanks!', { name: 'run', request: '' }],
  ['Hello.\n\n  /Refactor RUN src', { name: 'run', request: 'src' }],
  ['/refactor\tstatus\r\n', { name: 'status' }],
  ['/refactor cancel', { name: 'cancel' }],
  ['/refactor help', { name: 'help' }],
  ['/refactor approve 0123ABCDEF', { name: 'approve', planHash: '0123abcdef', only: null }],
  ['/refactor approve 0123abcdef only 1,3-5', { name: 'approve', planHash: '0123abcdef', only: [1, 3, 4, 5] }],
  ['/refactor approve 0123abcdef only 5, 2, 2', { name: 'approve', planHash: '0123abcdef', only: [2, 5] }],
])('%j is a command', (comment, expected) => {
  expect(parseCommand(comment)).toEqual(command(expected));
});

test.each([
  'Please /refactor run this',
  '/refactoring plan',
  '/refactor-bot plan',
  '`/refactor run`',
  '> /refactor run',
  '>/refactor run',
  '   > /refactor run',
  '    /refactor run',
  '\t/refactor run',
  '```\n/refactor run\n```',
  '~~~~ sh\n/refactor run\n~~~\n/refactor cancel',
  '```\n<!-- \n/refactor run',
  '<!-- /refactor run -->',
  '<!--\n/refactor run\n\n-->',
  '<!--\n\n/refactor run',
  'See <!-- this\n/refactor run -->',
  '',
])('%j is nothing for us', (comment) => {
  expect(parseCommand(comment)).toEqual(none);
});

test.each([
  '```\ncode\n```\n/refactor help',
  '```not a fence``` inline\n/refactor help',
  '<!-- a --> <!-- b\n c -->\n/refactor help',
  'An `<!--` that is never closed\n\n/refactor help',
  '> quoted\n\n/refactor help',
  '> ```\n\n/refactor help',
])('%j has its command outside', (comment) => {
  expect(parseCommand(comment)).toEqual(command({ name: 'help' }));
});

test('the first command of a comment counts', () => {
  expect(parseCommand('/refactor status\n/refactor cancel')).toEqual(command({ name: 'status' }));
  expect(parseCommand('/refactor stats\n/refactor cancel')).toMatchObject({ kind: 'malformed', nearest: 'status' });
});

test.each([
  ['/refactor', null],
  ['/refactor   ', null],
  ['/refactor aprove 0123abcdef', 'approve'],
  ['/refactor rollback', null],
  ['/refactor approve', 'approve'],
  ['/refactor approve 0123', 'approve'],
  ['/refactor approve 0123abcdeg', 'approve'],
  ['/refactor approve 0123abcdef only', 'approve'],
  ['/refactor approve 0123abcdef only 0', 'approve'],
  ['/refactor approve 0123abcdef only 5-3', 'approve'],
  ['/refactor approve 0123abcdef only 1-999', 'approve'],
  ['/refactor approve 0123abcdef only 1,,2', 'approve'],
  ['/refactor approve 0123abcdef max $4', 'approve'],
  ['/refactor cancel everything', 'cancel'],
])('%j is malformed', (comment, nearest) => {
  expect(parseCommand(comment)).toMatchObject({ kind: 'malformed', nearest });
});

test('never throws and is done at once, whatever it reads', () => {
  const parts = fc.constantFrom(
    '/refactor',
    ' ',
    'plan',
    'approve ',
    '0123abcdef',
    ' only ',
    '1-200',
    ',',
    '\n',
    '\r',
    '```',
    '~~~',
    '<!--',
    '-->',
    '> ',
    '    ',
    '\t',
    '`',
  );
  const comment = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(parts).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(comment, (text) => {
      expect(['command', 'malformed', 'none']).toContain(parseCommand(text).kind);
    }),
    { numRuns: 1000 },
  );
  parseCommand(`${'<!--'.repeat(16_000)}\n${'`'.repeat(65_000)}\n/refactor ${'x'.repeat(65_000)}`);
});

test('whatever stands in a fence runs nothing', () => {
  const harmless = fc.string().filter((text) => !text.includes('```'));
  fc.assert(
    fc.property(harmless, (text) => {
      expect(parseCommand(`\`\`\`\n${text}\n/refactor run\n${text}\n\`\`\``)).toEqual(none);
    }),
  );
});
