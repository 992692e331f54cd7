import type { Batch, Plan } from '../../src/domain/plan.ts';
import { batchIdFor, toCommitId, type DeliveryId, type PlanHash, type RunId } from '../../src/domain/ids.ts';
import type { LedgerEvent } from '../../src/domain/ledger.ts';
import type { RepositoryRef } from '../../src/domain/repository.ts';
import type { RunState } from '../../src/domain/run.ts';
import { startRun, type StartRequest } from '../../src/runs/start-run.ts';
import type { MemoryRunStore } from './memory-run-store.ts';

export const sampleRepository: RepositoryRef = {
  owner: 'acme',
  name: 'render',
  installationId: 7,
  cloneUrl: 'https://github.com/acme/render.git',
  defaultBranch: 'main',
  private: false,
};

export const samplePlanHash = '0123abcdef' as PlanHash;

/** A plan of so many batches; each of `after` builds on the batch before it (ordinals). */
export function samplePlan(batches: number, after: readonly number[] = [], hash = samplePlanHash): Plan {
  return {
    hash,
    baseCommit: toCommitId('a'.repeat(40)),
    request: '',
    leftOut: [],
    batches: Array.from({ length: batches }, (_, index): Batch => ({
      id: batchIdFor(index + 1),
      goal: `goal ${index + 1}`,
      scope: ['src/**'],
      operations: ['remove-dead-code'],
      diffBudgetLines: 100,
      risk: 1,
      verifier: 'fast',
      findings: [],
      improves: [],
      dependsOn: after.includes(index + 1) ? [batchIdFor(index)] : [],
      recipe: null,
    })),
  };
}

export function sampleRequest(change: Partial<StartRequest> = {}): StartRequest {
  return {
    delivery: 'd-1' as DeliveryId,
    repository: sampleRepository,
    trigger: 'label',
    issueNumber: 12,
    requestedBy: 'maintainer',
    request: '',
    commentId: null,
    requestedAt: '2026-11-22T01:02:03.000Z',
    ...change,
  };
}

const PATH: readonly RunState[] = ['preparing', 'baseline', 'indexing', 'planning'];

/** Records a run and brings it to a state, the way a worker would. */
export async function runIn(
  store: MemoryRunStore,
  state: 'queued' | 'planning' | 'awaiting_approval' | 'executing' | 'in_review',
  options: { readonly request?: Partial<StartRequest>; readonly plan?: Plan; readonly pullRequest?: number } = {},
): Promise<RunId> {
  const started = await startRun(store, sampleRequest(options.request));
  const { id } = started.run;
  if (state === 'queued') return id;
  const events: LedgerEvent[] = PATH.map((entered) => ({ type: 'state-entered', state: entered }));
  if (state !== 'planning') {
    events.push({ type: 'planned', plan: options.plan ?? samplePlan(3) });
    const rest: Record<typeof state, readonly RunState[]> = {
      awaiting_approval: ['awaiting_approval'],
      executing: ['executing'],
      in_review: ['executing', 'finalizing', 'in_review'],
    };
    for (const entered of rest[state]) events.push({ type: 'state-entered', state: entered });
  }
  if (options.pullRequest !== undefined)
    events.push({
      type: 'pull-request-opened',
      number: options.pullRequest,
      url: 'https://github.com/acme/render/pull/1',
    });
  await store.append(id, events);
  return id;
}
