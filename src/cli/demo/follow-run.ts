import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerRecord } from '../../domain/ledger.ts';
import type { RunStore, RunSummary } from '../../database/run-store.ts';
import type { RunState } from '../../domain/run.ts';
import type { RunView } from '../../domain/run-view.ts';
import { foldRun } from '../../domain/run-view.ts';
import { BotError } from '../../domain/errors.ts';

const POLL_MS = 150;
const GIVE_UP_MS = 4 * 60 * 60_000;

type Reads = Pick<RunStore, 'ledger' | 'runsOf'>;

/** Shows each new ledger event of the newest run of a repository until it is in one of the wanted states or has ended. */
export async function followRun(
  store: Reads,
  repository: string,
  follow: {
    readonly until: readonly RunState[];
    readonly seen: Set<number>;
    readonly show: (record: LedgerRecord) => void | Promise<void>;
  },
): Promise<RunView> {
  const deadline = performance.now() + GIVE_UP_MS;
  while (performance.now() < deadline) {
    const view = await look(store, repository, follow);
    if (view !== null && follow.until.includes(view.state)) return view;
    await delay(POLL_MS);
  }
  throw new BotError('time-spent', 'The demo waited for four hours and gives up.');
}

async function look(
  store: Reads,
  repository: string,
  follow: { readonly seen: Set<number>; readonly show: (record: LedgerRecord) => void | Promise<void> },
): Promise<RunView | null> {
  const [newest]: readonly (RunSummary | undefined)[] = await store.runsOf(repository);
  if (newest === undefined) return null;
  const records = await store.ledger(newest.id);
  for (const record of records) {
    if (follow.seen.has(record.seq)) continue;
    follow.seen.add(record.seq);
    await follow.show(record);
  }
  return foldRun(records);
}
