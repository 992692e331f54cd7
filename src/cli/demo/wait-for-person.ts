import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import { createMaintainer } from './maintainer.ts';
import { followRun } from './follow-run.ts';
import { createNarrator } from './narrate.ts';
import { isImproved } from './is-improved.ts';
import type { DemoBot } from './demo-bot.ts';
import type { DemoWorld } from './demo-world.ts';

interface Telling {
  readonly say: (text: string) => void;
  /** Resolves when the person wants to go. */
  readonly interrupted: Promise<void>;
}

/** A person plays the maintainer in the browser; what the bot does is told here until Ctrl-C, which is how this demo ends. */
export async function waitForPerson(world: DemoWorld, bot: DemoBot, { say, interrupted }: Telling): Promise<ExitCode> {
  const maintainer = createMaintainer(world);
  const issue = await maintainer.openIssue(
    'Make this easier to change',
    'Long files and dead code slow us down. Find the best things to do.',
  );
  const narrate = createNarrator();
  say(`
Open this page in a browser:

  ${world.github.url}/${world.owner}/${world.seed.name}/issues/${issue}

You are ${world.maintainer}, a maintainer. Add the label "refactor" to the issue, or comment

  /refactor plan        then    /refactor approve <hash>

and watch the status comment. When the pull request is there, merge it or close it. Ctrl-C ends the demo.
`);
  const followed = followRun(bot.store(), `${world.owner}/${world.seed.name}`, {
    until: ['accepted', 'rejected'],
    seen: new Set(),
    show: (record) => {
      const lines = narrate(record);
      if (lines !== null) say(lines);
    },
  });
  const end = await Promise.race([followed, interrupted]);
  if (end === undefined) return EXIT_CODES.ok;
  say('The page stays up until Ctrl-C.');
  await interrupted;
  if (end.state === 'rejected') return EXIT_CODES.rejected;
  return isImproved(end) ? EXIT_CODES.ok : EXIT_CODES.error;
}
