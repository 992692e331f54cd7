import { setTimeout as delay } from 'node:timers/promises';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import { BotError } from '../../domain/errors.ts';
import { createMaintainer, type Maintainer } from './maintainer.ts';
import { createNarrator } from './narrate.ts';
import { followRun } from './follow-run.ts';
import { isImproved } from './is-improved.ts';
import { showCommits, showDiffstat, showFigures, showPlan, showVerdicts } from './show-result.ts';
import { withoutHidden } from '../../domain/markdown.ts';
import type { LedgerRecord } from '../../domain/ledger.ts';
import type { DemoBot } from './demo-bot.ts';
import type { DemoOptions } from './demo-options.ts';
import type { DemoWorld } from './demo-world.ts';
import type { RunState } from '../../domain/run.ts';
import type { RunView } from '../../domain/run-view.ts';

const SETTLE_MS = 120_000;

interface Telling {
  readonly options: DemoOptions;
  readonly say: (text: string) => void;
}

/** Label → plan → patches → verified commits → pull request → merge, with every step shown. */
export async function playMaintainer(world: DemoWorld, bot: DemoBot, telling: Telling): Promise<ExitCode> {
  const { say } = telling;
  const maintainer = createMaintainer(world);
  const seen = new Set<number>();
  const narrate = createNarrator();
  let willCrash = telling.options.scenario === 'crash';
  const show = async (record: LedgerRecord) => {
    const lines = narrate(record);
    if (lines !== null) say(lines);
    if (!willCrash || record.event.type !== 'batch-kept') return;
    willCrash = false;
    await crash(bot, say);
  };
  const follow = (until: readonly RunState[]) =>
    followRun(bot.store(), `${world.owner}/${world.seed.name}`, { until, seen, show });

  const issue = await maintainer.openIssue(
    'Make this easier to change',
    'Long files and dead code slow us down. Find the best things to do.',
  );
  say(`issue:   ${world.github.url}/${world.owner}/${world.seed.name}/issues/${issue}`);
  await maintainer.addLabel(issue, 'refactor');
  say(`\n${world.maintainer}, a maintainer, adds the label "refactor" to the issue.\n`);
  const view = await follow(['in_review', 'completed', 'failed', 'cancelled']);
  await world.github.idle();
  if (view.pullRequest === null || view.state !== 'in_review') return endWithout(view, say);
  await showPullRequest(view, maintainer, say);
  return decide(view, { maintainer, follow, world, telling });
}

/** In the middle of the next batch: the last step that was recorded is where the successor goes on. */
async function crash(bot: DemoBot, say: (text: string) => void): Promise<void> {
  say('\nThe process of the bot is killed in the middle of its work (SIGKILL), and started again.');
  const processes = await bot.crash();
  if (processes === null) return;
  const { killed, successor } = processes;
  say(`Process ${killed} is gone; process ${successor} takes the run up at its last recorded step.\n`);
}

function endWithout(view: RunView, say: (text: string) => void): ExitCode {
  if (view.plan !== null && view.plan.batches.length + view.plan.leftOut.length > 0) say(`\n${showPlan(view.plan)}`);
  if (view.state === 'completed') {
    say('\nNothing was changed, and no pull request was opened.');
    return EXIT_CODES.nothingToDo;
  }
  const failure = view.ending?.type === 'failed' ? view.ending : null;
  if (failure !== null && failure.evidence !== '') say(`\nEnd of its output\n\n${withoutHidden(failure.evidence)}`);
  say('\nNothing was merged, and no pull request was opened.');
  if (failure?.code === 'baseline-red') return EXIT_CODES.baselineRed;
  return failure === null || failure.category === 'bug' ? EXIT_CODES.error : EXIT_CODES.refused;
}

async function showPullRequest(view: RunView, maintainer: Maintainer, say: (text: string) => void): Promise<void> {
  const number = view.pullRequest?.number ?? 0;
  const parts = [
    view.plan === null ? '' : showPlan(view.plan),
    showCommits(await maintainer.commitsOf(number)),
    showDiffstat(await maintainer.filesOf(number)),
    showFigures(view),
    showVerdicts(view),
  ];
  for (const part of parts) if (part !== '') say(`\n${part}`);
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
    telling.say(`\n${world.maintainer} closes the pull request without a merge.\n`);
    await maintainer.comment(number, 'Not now: we are about to release.');
    await maintainer.closePull(number);
  } else {
    telling.say(`\n${world.maintainer} merges the pull request.\n`);
    await maintainer.merge(number);
  }
  const settled = await follow(['accepted', 'rejected', 'failed', 'cancelled']);
  await settle(settled, maintainer);
  if (settled.state === 'rejected') {
    telling.say('Recorded as rejected; the branch is deleted, the issue stays open.');
    return EXIT_CODES.rejected;
  }
  if (settled.state !== 'accepted') return EXIT_CODES.error;
  telling.say('Recorded as accepted; the branch is deleted, the issue closed.');
  if (!isImproved(settled)) return EXIT_CODES.error;
  telling.say('Merged and improved: every figure that a batch named is lower.');
  return EXIT_CODES.ok;
}

/** The last effects come after the ledger's last word: the branch is gone and, after a merge, the issue closed. */
async function settle({ branch, request, state }: RunView, maintainer: Maintainer): Promise<void> {
  const deadline = performance.now() + SETTLE_MS;
  while (performance.now() < deadline) {
    const gone = branch === null || !(await maintainer.branches()).includes(branch);
    const answered = state !== 'accepted' || !(await maintainer.issueIsOpen(request.issueNumber));
    if (gone && answered) return;
    await delay(100);
  }
  throw new BotError(
    'time-spent',
    `Two minutes after its end, run ${request.id} has not tidied up. --verbose says more.`,
  );
}
