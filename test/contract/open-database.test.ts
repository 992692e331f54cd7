import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.ts';
import type { TrustedPath } from '../../src/domain/workspace.ts';
import { silentLogger } from '../support/toy-engine.ts';

describe('openDatabase', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'refactor-bot-open-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const open = (url: string | null) =>
    openDatabase({ url, directory: join(root, 'database') as TrustedPath, logger: silentLogger });

  test('names the host and never the password of a server that does not answer', async () => {
    const failure = await open('postgres://bot:hunter2@127.0.0.1:1/refactor').catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'database-unavailable', category: 'operator' });
    expect((failure as Error).message).toContain('127.0.0.1:1');
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('hunter2');
  });

  test('refuses an address that is not one of PostgreSQL, without repeating it', async () => {
    const failure = await open('mysql://bot:hunter2@host/refactor').catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'settings-invalid' });
    expect((failure as Error).message).not.toContain('hunter2');
  });

  test('is idempotent, refuses a database of a later release, and gives the directory back each time', async () => {
    const first = await open(null);
    await first.close();
    await first.close();
    const second = await open(null);
    await second.kysely.insertInto('migration').values({ number: 9_999, name: 'from the future' }).execute();
    await second.close();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(open(null)).rejects.toMatchObject({ code: 'database-newer', category: 'operator' });
    }
  });
});
