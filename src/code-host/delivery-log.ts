/** One attempt of the host to deliver a webhook. */
export interface DeliveryAttempt {
  /** The number by which the host knows this attempt. */
  readonly attempt: number;
  /** `X-GitHub-Delivery`; a redelivery keeps it. */
  readonly id: string;
  /** `issues.labeled`; `push` for an event without an action. */
  readonly event: string;
  /** Whether the app answered it with success. */
  readonly delivered: boolean;
  /** ISO 8601. */
  readonly deliveredAt: string;
}

/** The code host's own record of the webhooks it sent to the app. Throws `rate-limited`, `host-unavailable`, `credentials-rejected`. */
export interface DeliveryLog {
  /** Attempts, newest first, at most `limit`. */
  recent(limit: number): Promise<readonly DeliveryAttempt[]>;
  /** Asks for that attempt to be sent again; false when the host no longer can. */
  redeliver(attempt: number): Promise<boolean>;
}
