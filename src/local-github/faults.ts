import { refusal } from './state/refusal.ts';
import type { Refusal } from './state/refusal.ts';
import type { OutgoingWebhook } from './state/records.ts';

/** Which requests a fault hits. Without `path` every REST request; a path such as `.git/` reaches git over HTTP. */
export interface RequestMatch {
  readonly method?: string;
  /** Compared with the path below `/api/v3` (REST) or the whole path (git): contained in it, or matched by it. */
  readonly path?: string | RegExp;
  /** How often; 1 unless told. */
  readonly times?: number;
}

export interface DeliveryMatch {
  readonly event?: string;
  readonly action?: string;
  readonly times?: number;
}

export interface HeldDeliveries {
  /** How many wait. */
  count(): number;
  /** Sends what was held, behind what is queued by now: late and out of order. Later matches pass unhindered. */
  release(): void;
}

/** Misfortunes that real GitHub brings, each switched on for a number of occurrences. */
export interface Faults {
  /** 401 `Bad credentials` for a call made with an installation token, as when it has expired. */
  expiredToken(match?: RequestMatch): void;
  /** 403 with `retry-after: 1` and GitHub's words. */
  secondaryRateLimit(match?: RequestMatch): void;
  /** 502 unless told otherwise; the request has no effect. */
  serverError(match?: RequestMatch & { readonly status?: 500 | 502 | 503 }): void;
  /** The next merges fail: 405 as for a conflict, 409 as for a head that moved meanwhile. */
  mergeConflict(match?: RequestMatch & { readonly status?: 405 | 409 }): void;
  /** The webhook arrives twice under one GUID. */
  duplicateDelivery(match?: DeliveryMatch): void;
  /** The webhook never reaches the receiver; its log entry says 502. */
  lostDelivery(match?: DeliveryMatch): void;
  lateDelivery(match?: DeliveryMatch): HeldDeliveries;
  /** Names of the faults that have not struck as often as they were told to. */
  pending(): readonly string[];
  clear(): void;
}

export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly surface: 'rest' | 'git';
  readonly withInstallationToken: boolean;
}

export interface DeliveryTreatment {
  readonly copies: number;
  readonly lost: boolean;
  /** Takes the webhook into custody; null to send it now. */
  readonly hold: ((send: () => void) => void) | null;
}

/** The switches for tests, with what the server and the webhook queue ask them. */
export interface FaultBoard {
  readonly faults: Faults;
  /** The answer that replaces this request's own, if a fault strikes. */
  strikeRequest(request: RequestFacts): Refusal | null;
  treatDelivery(webhook: OutgoingWebhook): DeliveryTreatment;
}

interface Armed<Subject> {
  readonly name: string;
  readonly matches: (subject: Subject) => boolean;
  remaining: number;
}
interface ArmedRequestFault extends Armed<RequestFacts> {
  readonly answer: () => Refusal;
}
interface ArmedDeliveryFault extends Armed<OutgoingWebhook> {
  readonly treatment: DeliveryTreatment;
}

const untouched: DeliveryTreatment = { copies: 1, lost: false, hold: null };
const secondaryRateLimitMessage =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';

export function createFaultBoard(): FaultBoard {
  const requests: ArmedRequestFault[] = [];
  const deliveries: ArmedDeliveryFault[] = [];
  return {
    faults: {
      ...requestFaults(requests),
      ...deliveryFaults(deliveries),
      pending: () => [...requests, ...deliveries].filter((fault) => fault.remaining > 0).map((fault) => fault.name),
      clear: () => {
        requests.length = 0;
        deliveries.length = 0;
      },
    },
    strikeRequest: (request) => strike(requests, request)?.answer() ?? null,
    treatDelivery: (webhook) => strike(deliveries, webhook)?.treatment ?? untouched,
  };
}

type RequestFaults = Pick<Faults, 'expiredToken' | 'secondaryRateLimit' | 'serverError' | 'mergeConflict'>;

function requestFaults(armed: ArmedRequestFault[]): RequestFaults {
  const arm = (name: string, match: RequestMatch, answer: () => Refusal) => {
    const matches = (request: RequestFacts) => matchesRequest(match, request);
    armed.push({ name, matches, answer, remaining: match.times ?? 1 });
  };
  const mergePath = { method: 'PUT', path: /\/pulls\/\d+\/merge$/ };
  return {
    expiredToken: (match = {}) => {
      const matches = (request: RequestFacts) => request.withInstallationToken && matchesRequest(match, request);
      const answer = () => refusal(401, 'Bad credentials');
      armed.push({ name: 'expired-token', matches, answer, remaining: match.times ?? 1 });
    },
    secondaryRateLimit: (match = {}) =>
      arm('secondary-rate-limit', match, () =>
        refusal(403, secondaryRateLimitMessage, { headers: { 'retry-after': '1' } }),
      ),
    serverError: (match = {}) => arm('server-error', match, () => refusal(match.status ?? 502, 'Server Error')),
    mergeConflict: (match = {}) => arm('merge-conflict', { ...mergePath, ...match }, () => mergeRefusal(match.status)),
  };
}

type DeliveryFaults = Pick<Faults, 'duplicateDelivery' | 'lostDelivery' | 'lateDelivery'>;

function deliveryFaults(armed: ArmedDeliveryFault[]): DeliveryFaults {
  const arm = (name: string, match: DeliveryMatch, treatment: DeliveryTreatment) => {
    const matches = (webhook: OutgoingWebhook) => matchesDelivery(match, webhook);
    armed.push({ name, matches, remaining: match.times ?? 1, treatment });
  };
  return {
    duplicateDelivery: (match = {}) => arm('duplicate-delivery', match, { ...untouched, copies: 2 }),
    lostDelivery: (match = {}) => arm('lost-delivery', match, { ...untouched, lost: true }),
    lateDelivery: (match = {}) => {
      const custody: (() => void)[] = [];
      const treatment = { ...untouched, hold: (send: () => void) => void custody.push(send) };
      arm('late-delivery', match, treatment);
      return {
        count: () => custody.length,
        release: () => {
          const spent = armed.findIndex((fault) => fault.treatment === treatment);
          if (spent >= 0) armed.splice(spent, 1);
          for (const send of custody.splice(0)) send();
        },
      };
    },
  };
}

function strike<Subject, Fault extends Armed<Subject>>(armed: readonly Fault[], subject: Subject): Fault | undefined {
  const fault = armed.find((candidate) => candidate.remaining > 0 && candidate.matches(subject));
  if (fault) fault.remaining -= 1;
  return fault;
}

function matchesRequest(match: RequestMatch, request: RequestFacts): boolean {
  if (match.method !== undefined && match.method.toUpperCase() !== request.method) return false;
  if (match.path === undefined) return request.surface === 'rest';
  return typeof match.path === 'string' ? request.path.includes(match.path) : match.path.test(request.path);
}

function matchesDelivery(match: DeliveryMatch, webhook: OutgoingWebhook): boolean {
  return (match.event ?? webhook.event) === webhook.event && (match.action ?? webhook.action) === webhook.action;
}

function mergeRefusal(status: 405 | 409 = 405): Refusal {
  return status === 405
    ? refusal(405, 'Pull Request is not mergeable')
    : refusal(409, 'Head branch was modified. Review and try the merge again.');
}
