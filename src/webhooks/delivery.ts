import type { Conversation } from '../code-host/conversation.ts';
import type { RepositoryHost } from '../code-host/repository.ts';
import type { RepoConfig } from '../config/repo-config.ts';
import type { RunStore } from '../database/run-store.ts';
import type { DeliveryId } from '../domain/ids.ts';
import type { RepositoryRef } from '../domain/repository.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Sender } from './payloads.ts';

/** What handling a delivery may touch. */
export interface DeliveryPorts {
  readonly store: RunStore;
  readonly repositories: Pick<RepositoryHost, 'permissionOf' | 'readTextFile'>;
  readonly conversation: Conversation;
  readonly logger: Logger;
  /** Host (with port) that clone URLs must have. */
  readonly gitHost: { readonly host: string; readonly protocol: 'https' | 'http' };
  readonly operatorOptions: RepoConfig;
}

/** A delivery whose payload was read: the same for every event. */
export interface Delivery {
  readonly id: DeliveryId;
  /** ISO 8601, from the clock, when it was stored: what happens later with it happened then. */
  readonly receivedAt: string;
  readonly repository: RepositoryRef;
  readonly sender: Sender;
}

/** A few words for the inbox about what became of a delivery: `started 20261122-010203-1a2b3c4d`, `ignored: sent by a bot`. */
export type HandledAs = string;
