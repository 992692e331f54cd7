import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startPostgres } from '../../test/support/postgres.ts';
import type { GithubAddress } from './github-program.ts';
import { startBotProgram, type BotProgram } from './start-bot-program.ts';
import { startProgram } from './start-program.ts';

export type DatabaseKind = 'pglite' | 'postgres';

/** A bot with its database and an embedded GitHub, each in a process of its own. */
export interface Site {
  readonly github: GithubAddress;
  readonly bot: BotProgram;
  close(): Promise<void>;
}

/** PostgreSQL writes to disk as in real life. Throws where it is not installed. */
export async function openSite(database: DatabaseKind): Promise<Site> {
  const opened: (() => Promise<void>)[] = [];
  const undoAll = async () => {
    for (const undo of opened.toReversed()) await undo();
  };
  let closing: Promise<void> | null = null;
  const close = () => (closing ??= undoAll());
  // PostgreSQL and the folder would outlive a bench that is interrupted. Not `once`: a listener that is gone when execa's own looks
  // lets that end the process before anything is undone.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void close().then(() => process.exit(1)));
  try {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'refactor-bot-bench-'));
    opened.push(() => rm(folder, { recursive: true, force: true }));
    const cluster = database === 'postgres' ? await startPostgres({ durable: true }) : null;
    if (cluster !== null) opened.push(() => cluster.stop());
    const program = new URL('./github-program.ts', import.meta.url);
    const github = await startProgram<GithubAddress>(program, { folder: path.join(folder, 'github') });
    opened.push(() => github.stop());
    const bot = await startBotProgram({ folder, github: github.answer, databaseUrl: cluster?.url ?? null });
    opened.push(() => bot.stop());
    return { github: github.answer, bot, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
