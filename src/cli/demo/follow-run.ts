import { setTimeout as delay } from 'node:timers/promises';
import type { RunId } from '../../domain/ids.ts';
import type { LedgerRecord } from '../../domain/ledger.ts';
import type { RunStore, RunSummary } from '../../database/run-store.ts';
import type { RunState } from '../../domain/run.ts';
import type { RunView } from '../../domain/run-view.ts';
import { foldRun } from '../../domain/run-view.ts';
import { BotError } from '../../domain/errors.ts';

const POLL_MS = 150;
const GIVE_UP_MS = 4 * 60 * 60_000;

type Reads = Pick<RunStore, 'ledger' | 'runsOf'>;

interface Follow {
  readonly until: readonly RunState[];
  /** Numbers of the events that were shown, kept by the caller from one call to the next. */
  readonly seen: Set<number>;
  readonly show: (record: LedgerRecord) => void | Promise<void>;
}

/** Shows each new ledger event of the newest run of a repository until it is in one of the wanted states. */
export async function followRun(store: Reads, repository: string, follow: Follow): Promise<RunView> {
  const deadline = performance.now() + GIVE_UP_MS;
  let current: RunId | null = null;
  while (performance.now() < deadline) {
    const [newest]: readonly (RunSummary | undefined)[] = await store.runsOf(repository);
    if (newest !== undefined) {
      // Who plays the maintainer may ask again: another run counts its events from the start.
      if (current !== null && current !== newest.id) follow.seen.clear();
      current = newest.id;
      const view = await showNew(store, newest.id, follow);
      if (follow.until.includes(view.state)) return view;
    }
    await delay(POLL_MS);
  }
  throw new BotError('time-spent', 'The demo waited for four hours and gives up.');
}

async function showNew(store: Reads, run: RunId, { seen, show }: Follow): Promise<RunView> {
  const records = await store.ledger(run);
  for (const record of records) {
    if (seen.has(record.seq)) continue;
    seen.add(record.seq);
    await show(record);
  }
  return foldRun(records);
}
