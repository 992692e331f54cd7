import { describe, expect, it } from 'vitest';
import { batchIdFor, runIdFor, toCommitId, toTreeId } from '../../../src/domain/ids.ts';

describe('ids', () => {
  it('of runs tell their time and what asked for them, and are the same for the same', () => {
    const at = new Date('2026-11-22T01:02:03.999Z');
    expect(runIdFor('delivery 1', at)).toMatch(/^20261122-010203-[0-9a-f]{8}$/);
    expect(runIdFor('delivery 1', at)).toBe(runIdFor('delivery 1', new Date('2026-11-22T02:02:03.000+01:00')));
    expect(runIdFor('delivery 2', at)).not.toBe(runIdFor('delivery 1', at));
  });

  it('of batches sort by their place in a plan of 200', () => {
    const ids = Array.from({ length: 200 }, (_, index) => batchIdFor(index + 1));
    expect([ids[0], ids[199]]).toEqual(['batch-001', 'batch-200']);
    expect(ids.toSorted()).toEqual(ids);
  });

  it.each(['a'.repeat(40), '0'.repeat(64)])('of git are taken: %s', (value) => {
    expect([toCommitId(value), toTreeId(value)]).toEqual([value, value]);
  });

  it.each(['', 'a'.repeat(39), 'a'.repeat(41), 'A'.repeat(40), 'HEAD', `--upload-pack=x`, `${'a'.repeat(40)}\n`])(
    'of git are refused: %j',
    (value) => {
      expect(() => toCommitId(value)).toThrow(TypeError);
      expect(() => toTreeId(value)).toThrow(TypeError);
    },
  );
});
