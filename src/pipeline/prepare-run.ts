import type { RunContext } from './run-context.ts';
import { backUp } from './checkout/back-up.ts';
import { workBranch } from '../domain/run.ts';

/** Clone (done by opening the run), the name of the work branch, and a bundle of all refs before anything changes. */
export async function prepareRun(context: RunContext): Promise<void> {
  const { steps, ports, git, id, request } = context;
  await steps.run('prepare', async () => {
    const backupBytes = await backUp({ git, site: ports.site, run: id, repository: request.repository });
    return {
      output: null,
      events: [
        { type: 'prepared', baseCommit: context.baseCommit, branch: workBranch(id), backupBytes },
        { type: 'state-entered', state: 'baseline' },
      ],
    };
  });
}
