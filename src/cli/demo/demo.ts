import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import { BotError } from '../../domain/errors.ts';
import { chooseSandbox, type SandboxChoice } from './choose-sandbox.ts';
import { createMaintainer } from './maintainer.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { makeDemoWorld, type DemoWorld } from './demo-world.ts';
import { parseDemoOptions, type DemoOptions } from './demo-options.ts';
import { playMaintainer } from './play-maintainer.ts';
import { startDemoBot } from './start-demo-bot.ts';
import { waitForPerson } from './wait-for-person.ts';
import type { DemoBot } from './demo-bot.ts';

/** The whole job on an embedded GitHub. Answers the exit code (`docs/commands.md`). */
export async function demo(args: readonly string[]): Promise<ExitCode> {
  const say = (text: string) => process.stdout.write(`${text}\n`);
  try {
    const options = parseDemoOptions(args, process.stdin.isTTY && process.stdout.isTTY);
    const sandbox = await chooseSandbox(options);
    say('refactor-bot on an embedded GitHub: everything is real but GitHub itself, which this process plays.\n');
    say(`${sandbox.notice}\nstarting the embedded GitHub, the bot and its database …`);
    return await inWorld(options, sandbox, say);
  } catch (thrown) {
    if (!(thrown instanceof BotError)) throw thrown;
    process.stderr.write(`${thrown.message}\n`);
    return exitCodeOf(thrown);
  }
}

async function inWorld(options: DemoOptions, sandbox: SandboxChoice, say: (text: string) => void): Promise<ExitCode> {
  const interrupted = hearInterruption();
  const world = await makeDemoWorld(options, sandbox.driver);
  let bot: DemoBot | null = null;
  try {
    bot = await startDemoBot(world, options, createLogger({ level: options.logLevel }));
    // The picker of a new repository would be empty, and who plays the maintainer is to find it there.
    await createMaintainer(world).defineLabel('refactor', 'Asks refactor-bot to refactor');
    world.github.setWebhookUrl(bot.webhookUrl);
    say(`GitHub:  ${world.github.url}/${world.owner}/${world.seed.name}`);
    if (!options.auto) return await waitForPerson(world, bot, { say, interrupted });
    const stopped = interrupted.then(() => {
      say('\nInterrupted: stopping what runs and tidying up.');
      return EXIT_CODES.interrupted;
    });
    return await Promise.race([playMaintainer(world, bot, { options, say }), stopped]);
  } finally {
    await leave(world, bot);
  }
}

/** Ctrl-C and `kill` end the demo in order the first time, and at once the second. */
async function hearInterruption(): Promise<void> {
  return new Promise((resolve) => {
    let heard = false;
    const hear = () => {
      if (heard) process.exit(EXIT_CODES.interrupted);
      heard = true;
      resolve();
    };
    // Not `once`: libraries that clean up after themselves (signal-exit) end the process when nobody else listens any more.
    process.on('SIGINT', hear);
    process.on('SIGTERM', hear);
    // Nobody reads any more (`demo | head`): every later line fails in the same way.
    process.stdout.on('error', () => {
      if (!heard) hear();
    });
  });
}

async function leave(world: DemoWorld, bot: DemoBot | null): Promise<void> {
  try {
    await bot?.stop();
    await world.github.idle();
  } finally {
    await world.close();
  }
}

function exitCodeOf(error: BotError): ExitCode {
  switch (error.code) {
    case 'command-unknown':
      return EXIT_CODES.usage;
    case 'sandbox-too-weak':
    case 'foreign-host':
    case 'path-not-a-repository':
    case 'repository-empty':
      return EXIT_CODES.refused;
    default:
      return EXIT_CODES.error;
  }
}
