import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { BotError } from '../domain/errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Database } from './database.ts';
import { SCHEMA, type Tables } from './tables.ts';

const CONNECTIONS = 8;
const QUEUE_CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 10_000;

/** A server that several processes share. */
export async function openPostgres(url: string, logger: Logger): Promise<Database> {
  const host = hostOf(url);
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'refactor-bot',
  });
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', (err) => logger.warn({ err, host }, 'idle database connection lost'));
  await assertAnswers(pool, host);
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    kind: 'postgres',
    kysely: kysely.withSchema(SCHEMA),
    bossOptions: { connectionString: url, max: QUEUE_CONNECTIONS, application_name: 'refactor-bot queue' },
    close: () => kysely.destroy(),
  };
}

async function assertAnswers(pool: Pool, host: string): Promise<void> {
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
    // The cause is left out: its message may repeat the connection string.
    throw new BotError(
      'database-unavailable',
      `The database at ${host} cannot be used (${reason}). Check that it runs, and the user, password and name in DATABASE_URL.`,
      { details: { host, reason } },
    );
  }
}

/** Host and port, never user or password. */
function hostOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^postgres(?:ql)?:$/.test(parsed.protocol)) {
    throw new BotError(
      'settings-invalid',
      'DATABASE_URL is not a PostgreSQL address. Write postgres://user:password@host:5432/name.',
    );
  }
  return parsed.host === '' ? (parsed.searchParams.get('host') ?? 'localhost') : parsed.host;
}
