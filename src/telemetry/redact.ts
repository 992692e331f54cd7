import { BotError, type ErrorDetails } from '../domain/errors.ts';

const REDACTED = '[redacted]';

/** What a secret looks like, whoever printed it. Each pattern keeps no part of the secret. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
  // GitHub's own tokens: installation, personal, OAuth, refresh, fine-grained.
  [/\bgh[opsur]_[A-Za-z0-9_]{16,}/g, REDACTED],
  [/\bgithub_pat_\w{16,}/g, REDACTED],
  // The app's JSON web token.
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, REDACTED],
  [/\bsk-[\w-]{16,}/g, REDACTED],
  [/\bnpm_[A-Za-z0-9]{30,}/g, REDACTED],
  [/\b(bearer|basic|token)\s+[\w.~+/=-]{12,}/gi, `$1 ${REDACTED}`],
  [/(_authToken\s*=\s*)\S+/g, `$1${REDACTED}`],
  // The user information of a URL, such as `https://x-access-token:…@host/` or the password of a database.
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${REDACTED}@`],
];

/** The text without anything that looks like a credential. A net beneath the rule that no message holds a secret, not its replacement. */
export function redactSecrets(text: string): string {
  return SECRETS.reduce((redacted, [pattern, replacement]) => redacted.replaceAll(pattern, replacement), text);
}

/** An error as the log keeps it. Other properties are left behind: libraries hang whole webhook payloads and requests on their errors. */
export interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string;
  /** Of our own errors, where they are short facts. */
  readonly details?: ErrorDetails;
  readonly cause?: DescribedError;
}

/** How deep a chain of causes is followed. */
const MAX_CAUSES = 5;

/** Fit to be pino's serializer for `err`. */
export function describeError(thrown: unknown, depth = 0): DescribedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: redactSecrets(String(thrown)), stack: '' };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? { code: thrown.code } : {};
  const cause =
    thrown.cause === undefined || depth >= MAX_CAUSES ? {} : { cause: describeError(thrown.cause, depth + 1) };
  return {
    type: thrown.name,
    message: redactSecrets(thrown.message),
    stack: redactSecrets(thrown.stack ?? ''),
    ...code,
    ...(thrown instanceof BotError ? { details: redactDetails(thrown.details) } : {}),
    ...cause,
  };
}

function redactDetails(details: ErrorDetails): ErrorDetails {
  const redact = (value: ErrorDetails[string]): ErrorDetails[string] => {
    if (typeof value === 'string') return redactSecrets(value);
    return typeof value === 'object' ? value.map(redactSecrets) : value;
  };
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, redact(value)]));
}
