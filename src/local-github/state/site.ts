import type { App, DeliveryRecord, Installation, OutgoingWebhook, Permissions, Repository, User } from './records.ts';

/** Who makes a request. A browser acts as `user`, the bot as `installation` or, with its JWT, as `app`. */
export type Actor =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'user'; readonly user: User }
  | { readonly kind: 'app' }
  | {
      readonly kind: 'installation';
      readonly user: User;
      readonly installation: Installation;
      readonly permissions: Permissions;
      /** Null: every repository of the installation. */
      readonly repositoryIds: ReadonlySet<number> | null;
    };

/** An actor that has an account, and so can write. */
export type Author = Extract<Actor, { readonly user: User }>;

export interface InstallationToken {
  readonly token: string;
  readonly expiresAt: Date;
  readonly actor: Extract<Actor, { kind: 'installation' }>;
}

/** The embedded GitHub as its own parts see it: every action takes it first. */
export interface Site {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string;
  readonly now: () => Date;
  readonly app: App;
  /** Keyed by lower-case login; holds users, organisations and the app's bot. */
  readonly users: Map<string, User>;
  /** Keyed by lower-case `owner/name`. */
  readonly repositories: Map<string, Repository>;
  /** Keyed by the account's lower-case login. */
  readonly installations: Map<string, Installation>;
  readonly installationTokens: Map<string, InstallationToken>;
  readonly userTokens: Map<string, User>;
  /** Where the bare repositories and the hermetic git configuration live. */
  readonly dataDir: string;
  readonly webhooks: Webhooks;
  /** Ids are unique over the whole site, as on GitHub they are per kind. */
  nextId(): number;
}

export interface Webhooks {
  /** Queues for delivery, in order. Nothing is sent, nor logged, while the app has no webhook URL. */
  enqueue(webhook: OutgoingWebhook): void;
  /** Attempts, oldest first. */
  log(): readonly DeliveryRecord[];
  /** Sends the latest attempt with this GUID again; resolves when it was answered. Throws when there is none. */
  redeliver(guid: string): Promise<void>;
  /** Resolves when nothing is queued or in flight. */
  idle(): Promise<void>;
  /** Drops what is queued and waits for the one in flight. */
  close(): Promise<void>;
}
