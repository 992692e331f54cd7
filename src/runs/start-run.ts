import type { RunStore, RunSummary } from '../database/run-store.ts';
import { runIdFor, type DeliveryId } from '../domain/ids.ts';
import { fullName } from '../domain/repository.ts';
import { isActive, type RunRequest } from '../domain/run.ts';

/** A request for a run before it has an id. `delivery` is what makes a repeat the same request. */
export type StartRequest = Omit<RunRequest, 'id'> & { readonly delivery: DeliveryId };

/** `queued` for a new run; for one that the same delivery started before, how far it has come. */
export type StartedRun = Pick<RunSummary, 'id' | 'state'>;

export type StartResult =
  /** `behind` is the run that holds the repository now; null when this one is next. */
  | { readonly kind: 'started'; readonly run: StartedRun; readonly behind: RunSummary | null }
  /** The same issue has a run that is waiting for its turn or at work: a second would do the same again. */
  | { readonly kind: 'already-running'; readonly run: RunSummary };

/** Records that a run is wanted. Handling the same delivery again answers the same and records nothing. */
export async function startRun(
  store: Pick<RunStore, 'createRun' | 'runsOf'>,
  request: StartRequest,
): Promise<StartResult> {
  const { delivery, ...fixed } = request;
  const id = runIdFor(delivery, new Date(request.requestedAt));
  const runs = await store.runsOf(fullName(request.repository));
  const others = runs.filter((run) => run.id !== id);
  const active = others.find((run) => isActive(run.state)) ?? null;
  const earlier = runs.find((run) => run.id === id);
  if (earlier !== undefined)
    return { kind: 'started', run: earlier, behind: earlier.state === 'queued' ? active : null };
  const same = others.find(
    (run) => run.issueNumber === request.issueNumber && (run.state === 'queued' || isActive(run.state)),
  );
  if (same !== undefined) return { kind: 'already-running', run: same };
  await store.createRun({ id, ...fixed });
  return { kind: 'started', run: { id, state: 'queued' }, behind: active };
}
