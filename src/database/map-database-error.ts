import { BotError, isAbort } from '../domain/errors.ts';

/** SQLSTATE classes and codes, and the network errors of node, that mean "not now" rather than "never like this". */
const UNAVAILABLE_STATES = /^(?:08|57P0[1-5]$|53300$|28)/;
const UNAVAILABLE_NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOENT',
]);
/** What `pg` throws without a code when its connection breaks under a query. */
const BROKEN_CONNECTION =
  /connection (?:terminated|ended|error|is closed)|terminating connection|timeout exceeded when trying to connect/i;

/** An outage of the database is the operator's to mend, not a fault of the run that met it. Everything else is passed on. */
export function mapDatabaseError(thrown: unknown): unknown {
  if (thrown instanceof BotError || isAbort(thrown) || !(thrown instanceof Error)) return thrown;
  const code = codeOf(thrown);
  if (code === '53100' || code === 'ENOSPC') {
    return new BotError('disk-full', 'The database has no disk space left. Free some; runs then go on by themselves.', {
      cause: thrown,
    });
  }
  if (UNAVAILABLE_STATES.test(code) || UNAVAILABLE_NETWORK.has(code) || BROKEN_CONNECTION.test(thrown.message)) {
    return new BotError(
      'database-unavailable',
      'The database does not answer. Check that it runs and that DATABASE_URL leads to it; runs then go on by themselves.',
      { cause: thrown },
    );
  }
  return thrown;
}

function codeOf(thrown: Error): string {
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  // A host name with several addresses fails with one error for each of them.
  return thrown instanceof AggregateError && thrown.errors[0] instanceof Error ? codeOf(thrown.errors[0]) : '';
}
