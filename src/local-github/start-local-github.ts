import type { Faults } from './faults.ts';
import type { DeliveryRecord, Role } from './state/records.ts';

export interface LocalGithubOptions {
  /** Existing directory that receives the bare repositories; nothing is written outside it. */
  readonly dataDir: string;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  readonly now?: () => Date;
}

/** An exchange over `/api/v3`, as the contract tests see it. */
export interface RestExchange {
  readonly method: string;
  /** Below `/api/v3`, with the query string. */
  readonly path: string;
  readonly requestBody: unknown;
  readonly status: number;
  readonly responseBody: unknown;
  /** A login, `app` for the app's own JWT, or `anonymous`. */
  readonly actor: string;
}

/** A GitHub Enterprise Server on loopback: REST under `/api/v3`, git under `/<owner>/<repo>.git`, pages under `/<owner>/<repo>`. */
export interface LocalGithub {
  /** `http://127.0.0.1:<port>`; never `localhost`, which costs a failed IPv6 connection first. */
  readonly url: string;
  /** `127.0.0.1:<port>`, fit for `GHE_HOST`. */
  readonly host: string;
  readonly app: {
    readonly id: number;
    readonly slug: string;
    /** PEM. */
    readonly privateKey: string;
    readonly webhookSecret: string;
  };
  /** Where the app's webhooks go from now on; sends a `ping` there. Without a URL no webhook is sent or logged. */
  setWebhookUrl(url: string): void;
  createUser(login: string): void;
  /**
   * Makes the repository and installs the app on it. `owner` becomes an organisation unless it is a user already.
   * A user who owns a repository is its admin.
   */
  createRepository(input: NewRepository): Promise<{ cloneUrl: string; htmlUrl: string }>;
  /** `repository` is `owner/name`. Makes the user when there is none. */
  grant(input: { readonly repository: string; readonly login: string; readonly permission: Role }): void;
  /** A token that acts as that person over REST and git. */
  userToken(login: string): string;
  readonly faults: Faults;
  /** Every delivery attempt, oldest first. */
  deliveries(): readonly DeliveryRecord[];
  redeliver(guid: string): Promise<void>;
  /** Resolves when no webhook is queued or in flight; those held by a fault do not count. */
  idle(): Promise<void>;
  /** Calls the listener after every REST exchange; returns how to stop it. */
  onExchange(listener: (exchange: RestExchange) => void): () => void;
  close(): Promise<void>;
}

export interface NewRepository {
  readonly owner: string;
  readonly name: string;
  /** The imported repository's current branch, else `main`. */
  readonly defaultBranch?: string;
  readonly private?: boolean;
  /** Path of a bare or normal repository to take every branch and tag from. */
  readonly importFrom?: string;
}

export type { DeliveryRecord, Faults };
