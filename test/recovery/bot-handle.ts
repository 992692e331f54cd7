import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { BotOrders, FromBot, ToBot } from './bot-process.ts';

const PROGRAM = path.join(import.meta.dirname, 'bot-process.ts');

export interface BotHandle {
  /** Null when it ended before it could answer. */
  look(repository: string): Promise<Extract<FromBot, { kind: 'seen' }> | null>;
  isAlive(): boolean;
  /** How it ended; waits for it. */
  ended(): Promise<string | number | null>;
  /** Lets it drain. */
  stop(): Promise<void>;
  kill(): void;
}

/** Answers when it listens, or has ended before. */
export async function startBotProcess(orders: BotOrders): Promise<BotHandle> {
  const child = fork(PROGRAM, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  const ask = async (message: ToBot, answer: FromBot['kind']) => {
    if (!isAlive(child)) return null;
    const answered = nextMessage(child, answer);
    child.send(message, () => {});
    return Promise.race([answered, exit.then(() => null)]);
  };
  await ask({ kind: 'start', orders }, 'started');
  const ended = async () => {
    const [code, signal] = await exit;
    return signal ?? code;
  };
  return {
    look: async (repository) => {
      const seen = await ask({ kind: 'look', repository }, 'seen');
      return seen?.kind === 'seen' ? seen : null;
    },
    isAlive: () => isAlive(child),
    ended,
    stop: async () => {
      if (isAlive(child)) child.send({ kind: 'stop' } satisfies ToBot, () => {});
      await exit;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function nextMessage(child: ChildProcess, kind: FromBot['kind']): Promise<FromBot> {
  return new Promise((resolve) => {
    const listen = (message: FromBot) => {
      if (message.kind !== kind) return;
      child.off('message', listen);
      resolve(message);
    };
    child.on('message', listen);
  });
}
