import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { describeResult, layOut, makeJob, makeLabel, printer, runJob, toCommands, withCheckDigit } from '../src/labels.ts';

const ends = { from: { country: 'DE', postcode: '10115', city: 'Berlin' }, to: { country: 'FR', postcode: '75001', city: 'Paris' } };
const parcel = { weightGrams: 900, widthMm: 300, heightMm: 100, depthMm: 200, declaredValueCents: 1000 };
const label = makeLabel('AB-12345', ends, parcel);

it('lays out addresses, weight and barcode', () => {
  const commands = toCommands(layOut(label));
  assert.equal(commands[0], 'SIZE 840 1184');
  assert.ok(commands.some((command) => command.startsWith('BARCODE') && command.includes('AB-12345')));
  assert.ok(commands.some((command) => command.includes('75001 Paris')));
  assert.equal(commands.at(-1), 'CUT');
});

it('adds a check digit', () => {
  assert.match(withCheckDigit('AB-12345'), /^AB-12345[0-9X]$/);
});

it('prints every label as often as asked', () => {
  const print = mock.method(printer, 'print');
  const result = runJob(makeJob('j1', [label, label], 3));
  assert.equal(print.mock.callCount(), 6);
  assert.equal(describeResult(result), '6 labels printed on stdout.');
  print.mock.restore();
});

it('goes on when the paper is out', () => {
  mock.method(printer, 'status', () => 'paper-out', { times: 1 });
  const result = runJob(makeJob('j2', [label, label]));
  assert.equal(result.problems.length, 1);
  assert.match(describeResult(result), /1 labels were not printed: The printer stdout is paper-out\./);
});

it('refuses references that no printer takes', () => {
  assert.throws(() => makeLabel('ä', ends, parcel), TypeError);
});
