import { createHash } from 'node:crypto';

import type { DeliveryRow, Intent, RunStore, RunSummary } from '../../src/database/run-store.ts';
import { cancelledBy } from '../../src/domain/endings.ts';
import type { DeliveryId, RunId } from '../../src/domain/ids.ts';
import type { LedgerEvent, LedgerRecord } from '../../src/domain/ledger.ts';
import { fullName } from '../../src/domain/repository.ts';
import { hasEnded, isActive, workBranch } from '../../src/domain/run.ts';
import { foldRun, type RunView } from '../../src/domain/run-view.ts';

/** A run store without a database for tests of what is above it: the real fold, and what was asked of the engine to look at. */
export interface MemoryRunStore extends RunStore {
  readonly intents: Intent[];
  readonly outcomes: Map<DeliveryId, { readonly handledAs: string; readonly error: string | null }>;
  readonly deliveries: Map<DeliveryId, DeliveryRow>;
}

export function createMemoryRunStore(now: () => Date = () => new Date('2026-11-22T01:02:03Z')): MemoryRunStore {
  const deliveries = new Map<DeliveryId, DeliveryRow>();
  const outcomes: MemoryRunStore['outcomes'] = new Map();
  const ledgers = new Map<RunId, LedgerRecord[]>();
  const cancels = new Map<RunId, string>();
  const contents = new Map<string, string>();
  const intents: Intent[] = [];

  const ledgerOf = (run: RunId) => {
    const records = ledgers.get(run);
    if (records === undefined) throw new Error(`No run ${run}`);
    return records;
  };
  const append = (run: RunId, events: readonly LedgerEvent[], sent: readonly Intent[] = []): RunView => {
    const records = ledgerOf(run);
    const added = events.map((event, index): LedgerRecord => {
      return { seq: records.length + index + 1, version: 1, at: now().toISOString(), event };
    });
    const view = foldRun([...records, ...added]);
    records.push(...added);
    intents.push(...sent);
    return view;
  };
  const views = () => [...ledgers.values()].map((records) => foldRun(records)).toReversed();
  const summaries = (repository: string) =>
    views()
      .filter((view) => fullName(view.request.repository) === repository)
      .map(toSummary);

  return {
    intents,
    outcomes,
    deliveries,
    acceptDelivery: async (row) => {
      if (deliveries.has(row.id)) return false;
      deliveries.set(row.id, row);
      return true;
    },
    getDelivery: async (id) => deliveries.get(id) ?? null,
    settleDelivery: async (id, outcome) => {
      if (!outcomes.has(id)) outcomes.set(id, outcome);
    },
    createRun: async (request) => {
      if (ledgers.has(request.id)) return false;
      ledgers.set(request.id, []);
      const event = { type: 'run-requested', request } as const;
      ledgerOf(request.id).push({ seq: 1, version: 1, at: now().toISOString(), event });
      return true;
    },
    append: async (run, events, sent) => append(run, events, sent),
    decide: async (run, decide) => {
      const view = foldRun(ledgerOf(run));
      const decision = decide(view);
      return decision === null ? view : append(run, decision.events, decision.intents);
    },
    load: async (run) => (ledgers.has(run) ? foldRun(ledgerOf(run)) : null),
    ledger: async (run) => ledgers.get(run) ?? [],
    runsOf: async (repository) => summaries(repository),
    runOfBranch: async (repository, branch) => summaries(repository).find((run) => run.branch === branch) ?? null,
    requestCancel: async (run, by) => {
      const view = foldRun(ledgerOf(run));
      if (hasEnded(view.state) || cancels.has(run)) return;
      cancels.set(run, by);
      if (!isActive(view.state)) append(run, cancelledBy(by), [{ kind: 'settle-run', run }]);
    },
    cancelRequestedBy: async (run) => cancels.get(run) ?? null,
    putContent: async (text) => {
      const hash = createHash('sha256').update(text).digest('hex');
      contents.set(hash, text);
      return hash;
    },
    getContent: async (hash) => contents.get(hash) ?? null,
  };
}

function toSummary(view: RunView): RunSummary {
  return {
    id: view.id,
    state: view.state,
    repository: fullName(view.request.repository),
    issueNumber: view.request.issueNumber,
    pullRequest: view.pullRequest?.number ?? null,
    branch: workBranch(view.id),
  };
}
