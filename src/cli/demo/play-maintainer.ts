import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import { createMaintainer, type Maintainer } from './maintainer.ts';
import { followRun } from './follow-run.ts';
import { isImproved, narrate, showFigures, showPlan, showVerdicts } from './narrate.ts';
import type { DemoBot } from './demo-bot.ts';
import type { DemoOptions } from './demo-options.ts';
import type { DemoWorld } from './demo-world.ts';
import type { RunState } from '../../domain/run.ts';
import type { RunView } from '../../domain/run-view.ts';

interface Telling {
  readonly options: DemoOptions;
  readonly say: (text: string) => void;
}

/** Label → plan → patches → verified commits → pull request → merge, with every step shown. */
export async function playMaintainer(world: DemoWorld, bot: DemoBot, telling: Telling): Promise<ExitCode> {
  const { say } = telling;
  const maintainer = createMaintainer(world);
  const seen = new Set<number>();
  const follow = (until: readonly RunState[]) => {
    const show = (record: Parameters<typeof narrate>[0]) => {
      const line = narrate(record);
      if (line !== null) say(line);
    };
    return followRun(bot.store(), `${world.owner}/${world.seed.name}`, {
      until,
      seen,
      show: (record) => show(record.event),
    });
  };

  const issue = await maintainer.openIssue(
    'Make this easier to change',
    'Long files and dead code slow us down. Find the best things to do.',
  );
  say(`issue: ${world.github.url}/${world.owner}/${world.seed.name}/issues/${issue}`);
  await maintainer.addLabel(issue, 'refactor');
  say(`${world.maintainer} adds the label "refactor"`);
  const view = await follow(['in_review', 'completed', 'failed', 'cancelled']);
  await world.github.idle();
  if (view.pullRequest === null || view.state !== 'in_review') return endWithout(view, say);
  await showPullRequest(view, maintainer, say);
  return decide(view, { maintainer, follow, world, telling });
}

function endWithout(view: RunView, say: (text: string) => void): ExitCode {
  if (view.plan !== null) say(`\n${showPlan(view.plan)}`);
  if (view.state === 'completed') return EXIT_CODES.nothingToDo;
  const code = view.ending?.type === 'failed' ? view.ending.code : 'unknown';
  if (view.ending?.type === 'failed' && view.ending.evidence !== '') say(view.ending.evidence);
  if (code === 'baseline-red') return EXIT_CODES.baselineRed;
  return code === 'unknown' || code === 'invariant-broken' ? EXIT_CODES.error : EXIT_CODES.refused;
}

async function showPullRequest(view: RunView, maintainer: Maintainer, say: (text: string) => void): Promise<void> {
  const number = view.pullRequest?.number ?? 0;
  const commits = await maintainer.commitsOf(number);
  const files = await maintainer.filesOf(number);
  say('');
  if (view.plan !== null) say(showPlan(view.plan));
  say('\nCommits');
  for (const commit of commits) say(`  ${commit.id.slice(0, 10)} ${commit.subject}`);
  say('\nDiffstat');
  for (const file of files) say(`  ${file.path.padEnd(48)} +${file.added} −${file.removed}`);
  say(`\n${showFigures(view)}`);
  say(`\n${showVerdicts(view)}\n`);
}

interface Ending {
  readonly maintainer: Maintainer;
  readonly follow: (until: readonly RunState[]) => Promise<RunView>;
  readonly world: DemoWorld;
  readonly telling: Telling;
}

async function decide(view: RunView, ending: Ending): Promise<ExitCode> {
  const { maintainer, follow, world, telling } = ending;
  const number = view.pullRequest?.number ?? 0;
  if (telling.options.scenario === 'reject') {
    telling.say(`${world.maintainer} closes the pull request without a merge`);
    await maintainer.comment(number, 'Not now: we are about to release.');
    await maintainer.closePull(number);
  } else {
    telling.say(`${world.maintainer} merges the pull request`);
    await maintainer.merge(number);
  }
  const settled = await follow(['accepted', 'rejected', 'failed', 'cancelled']);
  await settle(settled, ending);
  if (settled.state === 'rejected') return EXIT_CODES.rejected;
  return settled.state === 'accepted' && isImproved(settled) ? EXIT_CODES.ok : EXIT_CODES.error;
}

/** The last effects come after the ledger's last word: the branch is gone and, after a merge, the issue closed. */
async function settle(view: RunView, { maintainer, telling }: Ending): Promise<void> {
  const { branch, request } = view;
  for (let tries = 0; tries < 100; tries += 1) {
    const gone = branch === null || !(await maintainer.branches()).includes(branch);
    const answered = view.state !== 'accepted' || !(await maintainer.issueIsOpen(request.issueNumber));
    if (gone && answered) {
      telling.say(
        view.state === 'accepted'
          ? 'recorded as accepted; branch deleted, issue closed'
          : 'recorded as rejected; branch deleted',
      );
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
