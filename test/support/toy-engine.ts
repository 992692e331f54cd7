import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { runIdFor } from '../../src/domain/ids.ts';
import type { RunRequest, RunState } from '../../src/domain/run.ts';
import type { LedgerEvent } from '../../src/domain/ledger.ts';
import type { TrustedPath } from '../../src/domain/workspace.ts';
import { openEngine, type Engine } from '../../src/engine/open-engine.ts';
import { startPostgres } from './postgres.ts';

export const silentLogger = pino({ level: 'silent' });

/** A second later each time it is asked. */
export function steppingClock(from = '2026-11-22T01:02:03.000Z'): Clock {
  let at = Date.parse(from);
  return { now: () => new Date((at += 1000)) };
}

/** The repository `acme/<name>`; every request is another issue. */
export function requestFor(name: string, issueNumber: number, clock: Clock): RunRequest {
  const at = clock.now();
  return {
    id: runIdFor(`${name} ${issueNumber}`, at),
    repository: {
      owner: 'acme',
      name,
      installationId: 7,
      cloneUrl: `https://github.example/acme/${name}.git`,
      defaultBranch: 'main',
      private: false,
    },
    trigger: 'label',
    issueNumber,
    requestedBy: 'maintainer',
    request: 'Make it smaller.',
    commentId: null,
    requestedAt: at.toISOString(),
  };
}

export function entered(...states: readonly RunState[]): readonly LedgerEvent[] {
  return states.map((state) => ({ type: 'state-entered', state }));
}

export const APPROVAL: LedgerEvent = {
  type: 'approved',
  by: 'maintainer',
  planHash: 'abcdef0123' as never,
  only: null,
};

export interface OpenedEngine extends Engine {
  readonly clock: Clock;
  close(): Promise<void>;
}

/** A new database of either kind with store and queue; nothing of it is left after `close`. */
export async function openToyEngine(kind: 'pglite' | 'postgres'): Promise<OpenedEngine> {
  const root = mkdtempSync(join(tmpdir(), 'refactor-bot-engine-'));
  const cluster = kind === 'postgres' ? await startPostgres() : null;
  const clock = steppingClock();
  const database = await openDatabase({
    url: cluster?.url ?? null,
    directory: join(root, 'database') as TrustedPath,
    logger: silentLogger,
  });
  const engine = await openEngine({ database, clock, logger: silentLogger });
  return {
    ...engine,
    clock,
    close: async () => {
      await engine.queue.close();
      await database.close();
      await cluster?.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
