import path from 'node:path';
import { execa } from 'execa';
import { BotError } from '../../domain/errors.ts';
import type { DemoBot } from './demo-bot.ts';
import type { RunId } from '../../domain/ids.ts';
import type { RunStore } from '../../database/run-store.ts';
import type { Settings } from '../../config/settings.ts';

/** The first message to the process. The key travels here, where no other process can see it, and not in argv or environment. */
export interface BotOrders {
  readonly settings: Settings;
  readonly logLevel: string;
}

/** Only the process that owns the embedded database can read it, so it is asked. */
export interface Question {
  readonly id: number;
  readonly about:
    | { readonly kind: 'runs'; readonly repository: string }
    | { readonly kind: 'ledger'; readonly run: RunId }
    | { readonly kind: 'stop' };
}

const PROGRAM = path.join(import.meta.dirname, `bot-process${path.extname(import.meta.filename)}`);

/** A bot that can be killed as by a power cut, and be started again over what it left. */
export async function startSeparateBot(orders: BotOrders): Promise<DemoBot> {
  let process = await startProcess(orders);
  const { webhookUrl } = process;
  // GitHub knows one address: what it delivers while nobody listens there is asked for at the next start.
  const { listen } = orders.settings;
  const again = {
    ...orders,
    settings: { ...orders.settings, listen: { ...listen, port: Number(new URL(webhookUrl).port) } },
  };
  return {
    webhookUrl,
    store: () => ({
      runsOf: (repository) => process.ask<Awaited<ReturnType<RunStore['runsOf']>>>({ kind: 'runs', repository }),
      ledger: (run) => process.ask<Awaited<ReturnType<RunStore['ledger']>>>({ kind: 'ledger', run }),
    }),
    crash: async () => {
      const killed = process.pid;
      await process.kill();
      process = await startProcess(again);
      return { killed, successor: process.pid };
    },
    stop: () => process.stop(),
  };
}

interface BotProcess {
  readonly pid: number;
  readonly webhookUrl: string;
  ask<Answer>(about: Question['about']): Promise<Answer>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

async function startProcess(orders: BotOrders): Promise<BotProcess> {
  const child = execa(PROGRAM, {
    node: true,
    ipc: true,
    reject: false,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    buffer: false,
  });
  const pid = child.pid;
  if (pid === undefined) throw new BotError('unknown', 'The process of the bot could not be started.');
  const [started] = await Promise.all([child.getOneMessage(), child.sendMessage(orders)]);
  const { webhookUrl } = started as unknown as { readonly webhookUrl: string };
  let questions = 0;
  return {
    pid,
    webhookUrl,
    ask: async <Answer>(about: Question['about']) => {
      const id = (questions += 1);
      const isAnswer = (message: unknown) => (message as { readonly id: number }).id === id;
      const [message] = await Promise.all([
        child.getOneMessage({ filter: isAnswer }),
        child.sendMessage({ id, about }),
      ]);
      return (message as unknown as { readonly answer: Answer }).answer;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await child;
    },
    stop: async () => {
      await child.sendMessage({ id: 0, about: { kind: 'stop' } } satisfies Question);
      await child;
    },
  };
}
