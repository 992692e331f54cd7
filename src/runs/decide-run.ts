import type { Intent, RunStore } from '../database/run-store.ts';
import { BotError } from '../domain/errors.ts';
import type { RunId } from '../domain/ids.ts';
import type { LedgerEvent } from '../domain/ledger.ts';
import type { RunView } from '../domain/run-view.ts';

/** What a request means for a run: the answer to the person, and what is written. No events: nothing is written. */
export interface Judgement<Result> {
  readonly result: Result;
  readonly events: readonly LedgerEvent[];
  readonly intents?: readonly Intent[];
}

/** Judges under the run's lock, so that nothing changes between looking and writing. */
export async function decideRun<Result>(
  store: Pick<RunStore, 'decide'>,
  run: RunId,
  judge: (view: RunView) => Judgement<Result>,
): Promise<Result> {
  const last: { judgement?: Judgement<Result> } = {};
  await store.decide(run, (view) => {
    const judgement = judge(view);
    last.judgement = judgement;
    const { events, intents = [] } = judgement;
    return events.length === 0 ? null : { events, intents };
  });
  if (last.judgement === undefined) throw new BotError('invariant-broken', `Run ${run} was not judged.`);
  return last.judgement.result;
}
