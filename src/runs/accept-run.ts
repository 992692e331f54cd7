import type { RunStore } from '../database/run-store.ts';
import type { RunId } from '../domain/ids.ts';

/** `false` when the run was not in review: it was settled before, or the pull request was not yet recorded. */
export async function acceptRun(
  store: Pick<RunStore, 'decide'>,
  run: RunId,
  merge: { readonly by: string; readonly mergeCommit: string | null },
): Promise<boolean> {
  const view = await store.decide(run, (now) =>
    now.state === 'in_review'
      ? {
          events: [
            { type: 'accepted', ...merge },
            { type: 'state-entered', state: 'accepted' },
          ],
          intents: [{ kind: 'settle-run', run }],
        }
      : null,
  );
  return view.state === 'accepted';
}
