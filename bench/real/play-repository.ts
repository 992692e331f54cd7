import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createMaintainer } from '../../src/cli/demo/maintainer.ts';
import { followRun } from '../../src/cli/demo/follow-run.ts';
import { makeDemoWorld, type DemoWorld } from '../../src/cli/demo/demo-world.ts';
import { createNarrator } from '../../src/cli/demo/narrate.ts';
import { startBot, WEBHOOK_PATH, type Bot } from '../../src/start-bot.ts';
import { outputTail } from '../../src/pipeline/verification/output-tail.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { bringCommit } from './bring-commit.ts';
import { checkMerged, type MergedCheck } from './check-merged.ts';
import { createStopwatch, type Stopwatch, type Timing } from './stopwatch.ts';
import type { ListedRepository } from './listed-repositories.ts';
import type { Ports } from '../../src/pipeline/ports.ts';
import type { RunState } from '../../src/domain/run.ts';
import type { RunView } from '../../src/domain/run-view.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

/** What one run of one repository came to. */
export interface Played {
  readonly listed: ListedRepository;
  readonly view: RunView;
  readonly timing: Timing;
  /** Null when nothing was merged. */
  readonly merged: MergedCheck | null;
}

export interface PlayOptions {
  /** Folder of local copies; null: the public address. */
  readonly source: string | null;
  /** Folder that receives the pull request as a patch, for a person to read; null: not kept. */
  readonly patches: string | null;
  readonly say: (line: string) => void;
}

const ENDED: readonly RunState[] = ['in_review', 'completed', 'failed', 'cancelled'];

/** The whole job on a copy of the repository: label, pull request, merge, and a look at what was merged from a fresh clone. */
export async function playRepository(listed: ListedRepository, options: PlayOptions): Promise<Played> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'refactor-bot-real-'));
  try {
    const source = await bringCommit(listed, folder, options.source);
    const world = await makeDemoWorld(
      { auto: true, scenario: 'merge', source, unsandboxed: false, logLevel: 'warn' },
      'bubblewrap',
    );
    try {
      return await playIn(world, listed, options);
    } finally {
      await world.github.idle();
      await world.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function playIn(world: DemoWorld, listed: ListedRepository, options: PlayOptions): Promise<Played> {
  const stopwatch = createStopwatch();
  const settings = { ...world.settings, operatorOptions: listed.options };
  const { observe } = stopwatch;
  const bot = await startBot(settings, {
    logger: createLogger({ level: 'warn' }),
    paceRequests: false,
    observe,
    wrapPorts: (ports) => tellingFailures(stopwatch.wrapPorts(ports), options.say),
  });
  try {
    world.github.setWebhookUrl(`${bot.url}${WEBHOOK_PATH}`);
    return await playOn({ world, bot, stopwatch }, listed, options);
  } finally {
    await bot.stop();
  }
}

/** The ledger keeps of a failing command that it failed; whoever tries repositories wants to know why. */
function tellingFailures(ports: Ports, say: PlayOptions['say']): Ports {
  const run: Sandbox['run'] = async (spec, signal) => {
    const result = await ports.sandbox.run(spec, signal);
    const { outcome } = result;
    if (outcome.kind !== 'exited' || outcome.code !== 0) {
      say(`    ! ${spec.argv.at(-1)?.split('\n').at(-1) ?? ''} (${JSON.stringify(outcome)})`);
      say(outputTail(result.output).replaceAll(/^/gm, '    ! '));
    }
    return result;
  };
  return { ...ports, sandbox: { ...ports.sandbox, run } };
}

interface Stage {
  readonly world: DemoWorld;
  readonly bot: Bot;
  readonly stopwatch: Stopwatch;
}

async function playOn(stage: Stage, listed: ListedRepository, options: PlayOptions): Promise<Played> {
  const { world, bot, stopwatch } = stage;
  const maintainer = createMaintainer(world);
  const seen = new Set<number>();
  const narrate = createNarrator();
  const follow = (until: readonly RunState[]) =>
    followRun(bot.composed.ports.store, `${world.owner}/${world.seed.name}`, {
      until,
      seen,
      show: (record) => {
        const lines = narrate(record);
        if (lines !== null) options.say(lines);
      },
    });
  const issue = await maintainer.openIssue('Make this easier to change', 'Long files and dead code slow us down.');
  await maintainer.addLabel(issue, 'refactor');
  const view = await follow(ENDED);
  const timing = stopwatch.read();
  await world.github.idle();
  if (view.state !== 'in_review' || view.pullRequest === null) return { listed, view, timing, merged: null };
  if (options.patches !== null) await keepPatch(world, view.pullRequest.number, options.patches);
  await maintainer.merge(view.pullRequest.number);
  const settled = await follow(['accepted', 'rejected', 'failed', 'cancelled']);
  await world.github.idle();
  return { listed, view: settled, timing, merged: await checkMerged(world, bot, settled) };
}

async function keepPatch(world: DemoWorld, pull: number, folder: string): Promise<void> {
  const { github, owner, seed } = world;
  const response = await fetch(`${github.url}/api/v3/repos/${owner}/${seed.name}/pulls/${pull}`, {
    headers: {
      authorization: `token ${github.userToken(world.maintainer)}`,
      accept: 'application/vnd.github.v3.patch',
    },
  });
  await writeFile(path.join(folder, `${seed.name}.patch`), await response.text());
}
