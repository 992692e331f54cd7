import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';

export interface Program<Answer> {
  /** What the program said when it was ready. */
  readonly answer: Answer;
  stop(): Promise<void>;
}

/** Starts a program of this folder, gives it what it must know, and waits until it says that it is ready. */
export async function startProgram<Answer>(
  program: URL,
  orders: Readonly<Record<string, string>>,
): Promise<Program<Answer>> {
  const child = execaNode(fileURLToPath(program), {
    ipc: true,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
    reject: false,
  });
  await child.sendMessage(orders);
  // Rejects when the program ends first.
  const answer = (await child.getOneMessage()) as unknown as Answer;
  return {
    answer,
    stop: async () => {
      child.kill('SIGKILL');
      await child;
    },
  };
}
