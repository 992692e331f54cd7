import type { RunStore } from '../database/run-store.ts';
import type { RunId } from '../domain/ids.ts';

/** `false` when the run was not in review: it was settled before, or the pull request was not yet recorded. */
export async function rejectRun(
  store: Pick<RunStore, 'decide'>,
  run: RunId,
  close: { readonly by: string; readonly words: string },
): Promise<boolean> {
  const view = await store.decide(run, (now) =>
    now.state === 'in_review'
      ? {
          events: [
            { type: 'rejected', ...close },
            { type: 'state-entered', state: 'rejected' },
          ],
          intents: [{ kind: 'settle-run', run }],
        }
      : null,
  );
  return view.state === 'rejected';
}
