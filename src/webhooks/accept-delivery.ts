import type { RunStore } from '../database/run-store.ts';
import type { Clock } from '../domain/clock.ts';
import type { DeliveryId } from '../domain/ids.ts';
import type { Logger } from '../telemetry/logger.ts';

export interface AcceptPorts {
  readonly store: Pick<RunStore, 'acceptDelivery'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Wakes the worker; must not wait for it. */
  readonly onAccepted: (id: DeliveryId) => void;
}

/**
 * Stores a delivery and returns: the answer to GitHub waits for this, and GitHub waits ten seconds. `event` is `issues.labeled`.
 * A delivery that was stored before is dropped, as GitHub may send it twice.
 */
export async function acceptDelivery(
  ports: AcceptPorts,
  incoming: { readonly id: string; readonly event: string; readonly payload: unknown },
): Promise<void> {
  const { event, payload } = incoming;
  const id = incoming.id as DeliveryId;
  const isNew = await ports.store.acceptDelivery({ id, event, payload, receivedAt: ports.clock.now().toISOString() });
  ports.logger.info({ delivery: id, event, isNew }, 'delivery accepted');
  if (isNew) ports.onAccepted(id);
}
