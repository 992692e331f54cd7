import { describe, expect, test } from 'vitest';
import type { LiveRun } from '../../../src/database/ledger-writer.ts';
import type { RunId } from '../../../src/domain/ids.ts';
import type { RunState } from '../../../src/domain/run.ts';
import { chooseNext, chooseSuperseded } from '../../../src/engine/admit-run.ts';

const run = (id: string, state: RunState, more: { approvedAt?: string } = {}): LiveRun => ({
  id: id as RunId,
  state,
  approved: more.approvedAt !== undefined,
  requested_at: id,
  ready_at: more.approvedAt ?? id,
});

describe('chooseNext', () => {
  test('nobody while one is active', () => {
    expect(chooseNext([run('1', 'queued'), run('2', 'finalizing')])).toBeNull();
  });
  test('the longest waiting, whichever way it waits', () => {
    expect(chooseNext([run('2', 'queued'), run('1', 'queued')])).toEqual({ run: '1', enters: 'preparing' });
    const approved = run('1', 'awaiting_approval', { approvedAt: '3' });
    expect(chooseNext([run('2', 'queued'), approved])).toEqual({ run: '2', enters: 'preparing' });
    expect(chooseNext([run('4', 'queued'), approved])).toEqual({ run: '1', enters: 'executing' });
  });
  test('nobody among those who wait for people', () => {
    expect(chooseNext([run('1', 'awaiting_approval'), run('2', 'in_review')])).toBeNull();
  });
});

describe('chooseSuperseded', () => {
  test('older plans without approval, and only those', () => {
    const live = [
      run('1', 'awaiting_approval'),
      run('2', 'awaiting_approval', { approvedAt: '5' }),
      run('3', 'in_review'),
      run('4', 'executing'),
      run('6', 'awaiting_approval'),
    ];
    expect(chooseSuperseded(live, '4' as RunId)).toEqual(['1']);
    expect(chooseSuperseded(live, '6' as RunId)).toEqual(['1']);
  });
});
