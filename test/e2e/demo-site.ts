import { chooseSandbox } from '../../src/cli/demo/choose-sandbox.ts';
import { createMaintainer } from '../../src/cli/demo/maintainer.ts';
import { makeDemoWorld } from '../../src/cli/demo/demo-world.ts';
import { parseDemoOptions } from '../../src/cli/demo/demo-options.ts';
import { startBot, WEBHOOK_PATH } from '../../src/start-bot.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import type { DemoWorld } from '../../src/cli/demo/demo-world.ts';

/** The demo without its narrator: the sample on an embedded GitHub, and the bot that serves it. The maintainer's part is left to play. */
export interface DemoSite {
  readonly world: DemoWorld;
  /** `http://127.0.0.1:<port>/acme/parcel-quote` */
  readonly repositoryUrl: string;
  close(): Promise<void>;
}

export async function openDemoSite(): Promise<DemoSite> {
  const options = parseDemoOptions([], true);
  const { driver } = await chooseSandbox(options);
  const world = await makeDemoWorld(options, driver);
  const bot = await startBot(world.settings, { logger: createLogger({ level: 'error' }), paceRequests: false });
  await createMaintainer(world).defineLabel('refactor', 'Asks refactor-bot to refactor');
  world.github.setWebhookUrl(`${bot.url}${WEBHOOK_PATH}`);
  return {
    world,
    repositoryUrl: `${world.github.url}/${world.owner}/${world.seed.name}`,
    close: async () => {
      await bot.stop();
      await world.github.idle();
      await world.close();
    },
  };
}
