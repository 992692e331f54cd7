/**
 * Who can mend it, which decides what the engine does next:
 * `user` reply with the fix · `repository` end the run with a report · `agent` retry the batch, then skip it · `budget` stop and
 * deliver what passed · `transient` retry the step with back-off · `operator` keep the run queued · `bug` fail the run once.
 */
export type ErrorCategory = 'user' | 'repository' | 'agent' | 'budget' | 'transient' | 'operator' | 'bug';

/** Every code the bot knows, with its category. One line each, alphabetical within its category. */
const CATEGORY_OF = {
  'approval-void': 'user',
  'command-unknown': 'user',
  'config-invalid': 'user',
  'not-permitted': 'user',
  'path-not-a-repository': 'user',
  'base-moved': 'repository',
  'baseline-red': 'repository',
  'branch-gone': 'repository',
  'branch-moved': 'repository',
  'dependencies-not-installed': 'repository',
  'foreign-host': 'repository',
  'host-refused': 'repository',
  'no-checks-found': 'repository',
  'no-install-configured': 'repository',
  'repository-empty': 'repository',
  'repository-too-large': 'repository',
  'attempts-spent': 'agent',
  'output-invalid': 'agent',
  'patch-does-not-apply': 'agent',
  'patch-rejected': 'agent',
  refused: 'agent',
  'time-spent': 'budget',
  'host-unavailable': 'transient',
  'not-recorded-yet': 'transient',
  'push-raced': 'transient',
  'rate-limited': 'transient',
  'binary-missing': 'operator',
  'credentials-rejected': 'operator',
  'database-locked': 'operator',
  'database-newer': 'operator',
  'database-unavailable': 'operator',
  'disk-full': 'operator',
  'permission-missing': 'operator',
  'sandbox-too-weak': 'operator',
  'settings-invalid': 'operator',
  'invariant-broken': 'bug',
  unknown: 'bug',
} as const satisfies Record<string, ErrorCategory>;

export type ErrorCode = keyof typeof CATEGORY_OF;

/** Facts for the log and the reply: short, JSON, never a secret. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The one error class. Its message says what happened, to what, and what to do next. */
export class BotError extends Error {
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: { details?: ErrorDetails; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'BotError';
    this.code = code;
    this.category = CATEGORY_OF[code];
    this.details = options.details ?? {};
  }
}

/** Thrown by a step whose run was cancelled or whose process is draining; never an error of its own. */
export function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}

/** The one place where an unknown throwable becomes a `bug`. */
export function toBotError(thrown: unknown): BotError {
  if (thrown instanceof BotError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new BotError('unknown', `Something unexpected happened: ${message}`, { cause: thrown });
}
