import { BotError, isAbort } from '../domain/errors.ts';
import { redactSecrets } from '../telemetry/redact.ts';

/** What was being done (`reading .github/refactor-bot.yml of acme/render`), and the app's permission it needs (`contents: read`). */
export interface Doing {
  readonly doing: string;
  readonly needs: string;
}

/** As `@octokit/request-error` has it. Not imported: several copies of the class are installed, so `instanceof` would lie. */
interface HttpError extends Error {
  readonly status: number;
  readonly request?: { readonly url?: string };
  /** Missing when the host could not be reached. */
  readonly response?: { readonly headers?: Readonly<Record<string, string | number | undefined>> };
}

/** When the host limits the rate and does not say for how long, as its documentation advises. */
const DEFAULT_RETRY_AFTER_MS = 60_000;

/** The only reader of HTTP status codes. Every error of a call to the host becomes a `BotError`, an abort stays what it is. */
export function mapHostError(thrown: unknown, doing: Doing): unknown {
  if (thrown instanceof BotError || isAbort(thrown)) return thrown;
  if (!isHttpError(thrown)) return thrown;
  const details = { status: thrown.status };
  const because = { details, cause: thrown };
  const words = redactSecrets(firstLine(thrown.message));
  if (isRateLimit(thrown)) {
    const message = `The code host limits how often it is asked; ${doing.doing} has to wait.`;
    return new BotError('rate-limited', message, {
      details: { ...details, retryAfterMs: retryAfterMs(thrown) },
      cause: thrown,
    });
  }
  if (thrown.status >= 500 || thrown.response === undefined) {
    return new BotError(
      'host-unavailable',
      `The code host did not answer as it should while ${doing.doing}: ${words}`,
      because,
    );
  }
  if (thrown.status === 401) {
    return new BotError(
      'credentials-rejected',
      `The code host rejected the app's credentials while ${doing.doing}. Check APP_ID and PRIVATE_KEY.`,
      because,
    );
  }
  if (isAboutInstallation(thrown)) {
    return new BotError(
      'permission-missing',
      `The app is not installed there, or suspended: no token for ${doing.doing}. Install it on the repository.`,
      because,
    );
  }
  if (thrown.status === 403) {
    return new BotError(
      'permission-missing',
      `The code host refused ${doing.doing} (${words}). It needs the permission "${doing.needs}": grant it to the app and accept it for the installation.`,
      because,
    );
  }
  return new BotError('host-refused', `The code host refused ${doing.doing}: ${words}`, because);
}

/** The answer, or null when the host says that there is no such thing. */
export function orNull<Value>(call: Promise<Value>): Promise<Value | null> {
  return unless(call, isMissing);
}

/** As `orNull`, also for a repository without commits, which the git interface calls a conflict. */
export function orNullWhenEmpty<Value>(call: Promise<Value>): Promise<Value | null> {
  return unless(call, (error) => isMissing(error) || (error.status === 409 && /empty/i.test(error.message)));
}

/** The answer, or null when the host says that the thing to be made is there, or the thing to be removed is gone. */
export function orNullWhenSo<Value>(call: Promise<Value>): Promise<Value | null> {
  return unless(
    call,
    (error) =>
      isMissing(error) || (error.status === 422 && /already.exists|does not exist|not found/i.test(error.message)),
  );
}

/** An installation token can be revoked or expire while it is cached. */
export function isBadToken(thrown: unknown): boolean {
  return isHttpError(thrown) && thrown.status === 401 && !isAboutInstallation(thrown);
}

async function unless<Value>(call: Promise<Value>, expected: (error: HttpError) => boolean): Promise<Value | null> {
  try {
    return await call;
  } catch (thrown) {
    if (isHttpError(thrown) && expected(thrown)) return null;
    throw thrown;
  }
}

function isMissing(error: HttpError): boolean {
  return (error.status === 404 || error.status === 410) && !isAboutInstallation(error);
}

/** The call behind the call: a token is fetched before its first use, and an app that is not installed gets 404 there. */
function isAboutInstallation(error: HttpError): boolean {
  return error.request?.url?.endsWith('/access_tokens') ?? false;
}

function isRateLimit(error: HttpError): boolean {
  if (error.status === 429) return true;
  if (error.status !== 403) return false;
  const headers = error.response?.headers ?? {};
  return 'retry-after' in headers || headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(error.message);
}

function retryAfterMs(error: HttpError): number {
  const headers = error.response?.headers ?? {};
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  if (seconds >= 0) return seconds * 1000;
  const resetMs = Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1000;
  const nowMs = Date.parse(String(headers['date'] ?? ''));
  // Both times are the host's own, so that this machine's clock does not matter.
  return headers['x-ratelimit-remaining'] === '0' && resetMs > nowMs ? resetMs - nowMs : DEFAULT_RETRY_AFTER_MS;
}

function isHttpError(thrown: unknown): thrown is HttpError {
  return thrown instanceof Error && 'status' in thrown && typeof thrown.status === 'number';
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').slice(0, 300);
}
