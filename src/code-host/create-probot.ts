import { Probot, ProbotOctokit } from 'probot';
import type { Logger as PinoLogger } from 'pino';

import type { Logger } from '../telemetry/logger.ts';
import { describeError } from '../telemetry/redact.ts';

export interface ProbotOptions {
  readonly app: { readonly id: number; readonly privateKey: string; readonly webhookSecret: string };
  /** Root of the REST interface; null for api.github.com. */
  readonly apiUrl: string | null;
  readonly logger: Logger;
  /**
   * Spaces writes as GitHub asks: one second apart, three for those that notify people. Only a host without such limits (the
   * embedded one) does without.
   */
  readonly paceRequests?: boolean;
  /** Sees every request to the host, those for tokens included. */
  readonly fetch?: typeof fetch;
}

type OctokitOptions = NonNullable<ConstructorParameters<typeof ProbotOctokit>[0]>;

/** Far beyond any answer of a healthy host; Node alone would wait five minutes. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Probot without the environment: it would otherwise read settings of its own. Resolves when it is ready to take deliveries. */
export async function createProbot(options: ProbotOptions): Promise<Probot> {
  const { app, apiUrl, paceRequests = true } = options;
  if (app.webhookSecret === '') throw new TypeError('Probot takes an empty secret for the word "development".');
  const probot = new Probot({
    appId: app.id,
    privateKey: app.privateKey,
    secret: app.webhookSecret,
    log: quietLogger(options.logger),
    // The object form of `defaults` is silently ignored (probot#2039).
    Octokit: ProbotOctokit.defaults((defaults: OctokitOptions) => ({
      ...defaults,
      auth: authOnOwnHost(defaults.auth, apiUrl),
      throttle: { ...defaults.throttle, enabled: paceRequests, onRateLimit: never, onSecondaryRateLimit: never },
      retry: { enabled: false },
    })),
    ...(apiUrl === null ? {} : { baseUrl: apiUrl }),
    request: { fetch: impatient(options.fetch ?? fetch) },
  });
  return probot.ready();
}

/** What Probot gives its authentication; its `request` is the one that fetches tokens when they are asked for by hand. */
interface AppAuth {
  readonly request?: { defaults(options: { readonly baseUrl: string }): unknown };
}

/** Probot leaves `baseUrl` out there, so that a fresh token would be asked from api.github.com, with the app's signed credentials. */
function authOnOwnHost(auth: AppAuth | undefined, apiUrl: string | null): unknown {
  if (auth?.request === undefined || apiUrl === null) return auth;
  return { ...auth, request: auth.request.defaults({ baseUrl: apiUrl }) };
}

/** A host that accepts a request and never answers must not hold a run. */
function impatient(send: typeof fetch): typeof fetch {
  return (input, init) => {
    const late = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    return send(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, late]) : late });
  };
}

/** Retrying is the engine's: it knows deadlines and cancellation, and a call that waits for an hour holds its worker. */
function never(): boolean {
  return false;
}

/** Below `warn` Probot logs the bodies of requests, and with its errors whole payloads: the content of private repositories. */
function quietLogger(logger: Logger): PinoLogger {
  return logger.child({}, { level: 'warn', serializers: { err: describeError } });
}
