/** The bot in a process of its own, so that the demo can kill it. What it must know, and what is asked of it, comes over IPC. */
import { getEachMessage, getOneMessage, sendMessage } from 'execa';
import { createLogger } from '../../telemetry/logger.ts';
import { startBot, WEBHOOK_PATH } from '../../start-bot.ts';
import type { BotOrders, Question } from './separate-bot.ts';

const { settings, logLevel } = (await getOneMessage()) as unknown as BotOrders;
const bot = await startBot(settings, { logger: createLogger({ level: logLevel }), paceRequests: false });
const { store } = bot.composed.ports;

/** Ends by itself when whoever asks is gone. */
async function answerQuestions(): Promise<void> {
  for await (const message of getEachMessage()) {
    const { id, about } = message as unknown as Question;
    if (about.kind === 'stop') return;
    const answer = about.kind === 'runs' ? await store.runsOf(about.repository) : await store.ledger(about.run);
    await sendMessage({ id, answer });
  }
}

const answering = answerQuestions();
await sendMessage({ webhookUrl: `${bot.url}${WEBHOOK_PATH}` });
await answering;
await bot.stop();
