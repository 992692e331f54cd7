import type { Checks } from './checks.ts';
import { cutBody } from './cut-body.ts';
import type { HostCaller } from './host-caller.ts';

const NAME = 'refactor-bot';

export function createGithubChecks(call: HostCaller): Checks {
  return {
    async put(repository, { run, commit, status, conclusion, title, summary }) {
      const doing = { doing: `writing the check run of ${commit.slice(0, 10)}`, needs: 'checks: write' };
      await call(repository, doing, async ({ rest }, at) => {
        const listed = await rest.checks.listForRef({ ...at, ref: commit, check_name: NAME, per_page: 100 });
        const there = listed.data.check_runs.find((check) => check.external_id === run);
        const content = {
          ...at,
          name: NAME,
          status,
          ...(conclusion === null ? {} : { conclusion }),
          output: { title, summary: cutBody(summary) },
        };
        if (there === undefined) await rest.checks.create({ ...content, head_sha: commit, external_id: run });
        else await rest.checks.update({ ...content, check_run_id: there.id });
      });
    },
  };
}
