import { BotError, isAbort, type ErrorCode } from '../domain/errors.ts';

interface Meaning {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly message: string;
}

/** What git's words mean, first match first. git is always run in English, and never prints the token we send. */
const MEANINGS: readonly Meaning[] = [
  {
    pattern: /spawn git ENOENT/,
    code: 'binary-missing',
    message: 'git was not found. Install git 2.38 or newer for the account that runs the bot.',
  },
  {
    pattern: /No space left on device|Disk quota exceeded/i,
    code: 'disk-full',
    message: 'git could not write: the disk is full. Make room in the data directory.',
  },
  {
    pattern: /protected branch|hook declined|refusing to allow|GH\d{3}:|Permission to .* denied/i,
    code: 'permission-missing',
    message: 'The code host refused the push. Check branch rules and the permissions of the app.',
  },
  {
    pattern: /stale info|non-fast-forward|fetch first|cannot lock ref|failed to update ref|reference already exists/i,
    code: 'push-raced',
    message: 'The branch moved while it was being pushed. Read its head again before the next try.',
  },
  {
    pattern: /returned error: (?:401|403)|Authentication failed|could not read (?:Username|Password)/i,
    code: 'credentials-rejected',
    message:
      'The code host rejected the credentials. Check that the app is still installed and may read and write contents.',
  },
  {
    pattern: /returned error: 404|repository '.*' not found/i,
    code: 'permission-missing',
    message: 'The code host shows no such repository. Check that it exists and that the app is installed on it.',
  },
  {
    pattern: /returned error: 429/,
    code: 'rate-limited',
    message: 'The code host asked to slow down. The step is tried again later.',
  },
  {
    pattern: /returned error: 3\d\d|unable to update url base from redirection/,
    code: 'foreign-host',
    message:
      'The code host sends git to another address, and redirections are not followed. Use the present URL of the repository.',
  },
  {
    pattern:
      /returned error: 5\d\d|Could not resolve host|Failed to connect|Couldn't connect|Connection (?:refused|reset|timed out)|Operation timed out|early EOF|hung up unexpectedly|RPC failed|Empty reply|unable to access|SSL/i,
    code: 'host-unavailable',
    message: 'The code host could not be reached. The step is tried again later.',
  },
  {
    pattern: /transport '.*' not allowed/,
    code: 'foreign-host',
    message: 'git was asked to use a transport that is not allowed. Only the configured host and protocol are.',
  },
];

/** The one place that reads git's words. `said` is its standard error. */
export function mapGitError(said: string, args: readonly string[], cause?: unknown): Error {
  if (cause instanceof BotError || (cause instanceof Error && isAbort(cause))) return cause;
  const verb = args.find((arg) => !arg.startsWith('-')) ?? 'git';
  const details = { verb, said: lastWords(said) };
  const meaning = MEANINGS.find(({ pattern }) => pattern.test(said));
  if (meaning !== undefined) return new BotError(meaning.code, meaning.message, { details, cause });
  return new BotError('unknown', `git ${verb} failed: ${details.said || 'it said nothing'}`, { details, cause });
}

/** The end of what git said, on one line, without control characters and without anything that looks like credentials. */
export function lastWords(said: string): string {
  return said
    .replaceAll(/(Authorization:\s*\S+\s+)\S+/gi, '$1…')
    .replaceAll(/\/\/[^/@\s]*@/g, '//…@')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(-400);
}
