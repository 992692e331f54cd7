import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createReplayAgent, parseReplayScript } from '../../agents/replay-agent.ts';
import { startSeparateBot } from './separate-bot.ts';
import { startBot, WEBHOOK_PATH } from '../../start-bot.ts';
import type { DemoBot } from './demo-bot.ts';
import type { DemoOptions } from './demo-options.ts';
import type { DemoWorld } from './demo-world.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** Bot and worker in this process; for the story of a crash in one of their own. */
export async function startDemoBot(world: DemoWorld, options: DemoOptions, logger: Logger): Promise<DemoBot> {
  if (options.scenario === 'crash') {
    return startSeparateBot({ settings: world.settings, logLevel: options.logLevel });
  }
  const replay =
    options.scenario === 'bad-patch' ? await readFile(path.join(import.meta.dirname, 'bad-patch.json'), 'utf8') : null;
  const bot = await startBot(world.settings, {
    logger,
    paceRequests: false,
    ...(replay === null
      ? {}
      : { wrapAgent: (mechanical) => createReplayAgent({ script: parseReplayScript(replay), fallback: mechanical }) }),
  });
  return {
    webhookUrl: `${bot.url}${WEBHOOK_PATH}`,
    store: () => bot.composed.ports.store,
    crash: async () => null,
    stop: () => bot.stop(),
  };
}
