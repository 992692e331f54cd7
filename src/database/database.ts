import type { Kysely } from 'kysely';
import type { ConstructorOptions } from 'pg-boss';
import type { Logger } from '../telemetry/logger.ts';
import type { Tables } from './tables.ts';
import type { TrustedPath } from '../domain/workspace.ts';

export interface Database {
  readonly kind: 'pglite' | 'postgres';
  readonly kysely: Kysely<Tables>;
  /** How the queue reaches the same database: the same PGlite instance, or its own connections. */
  readonly bossOptions: Pick<ConstructorOptions, 'backend' | 'db' | 'connectionString' | 'max' | 'application_name'>;
  /** Idempotent. The queue must be closed before. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://…`, or null for the embedded database. May hold a password: never logged. */
  readonly url: string | null;
  /** Where the embedded database lives; its lock file is beside it. Unused with a `url`. */
  readonly directory: TrustedPath;
  readonly logger: Logger;
}
