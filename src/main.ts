import { createLogger } from './telemetry/logger.ts';
import { loadSettings } from './config/load-settings.ts';
import { requireNode } from './cli/require-node.ts';
import { startBot } from './start-bot.ts';
import { toBotError } from './domain/errors.ts';

requireNode();
try {
  const settings = loadSettings();
  const logger = createLogger({ level: settings.logLevel });
  const bot = await startBot(settings, { logger });
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'draining');
    // Runs are put down at their last step; the next start takes them up again.
    bot.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'could not stop in order');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
} catch (thrown) {
  process.stderr.write(`${toBotError(thrown).message}\n`);
  process.exit(1);
}
