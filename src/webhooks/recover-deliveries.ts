import type { DeliveryAttempt, DeliveryLog } from '../code-host/delivery-log.ts';
import type { RunStore } from '../database/run-store.ts';
import type { DeliveryId } from '../domain/ids.ts';
import type { Logger } from '../telemetry/logger.ts';
import { HANDLED_EVENTS } from './handle-delivery.ts';

/** How far back one look goes. GitHub keeps three days; what is older than this many attempts was not missed in one outage. */
const MAX_ATTEMPTS = 500;
/** A flood of old deliveries must not keep the bot from its work. */
const MAX_REDELIVERIES = 100;

/**
 * Asks the host to send again what the inbox does not hold: lost while nobody listened, or in a crash just after the answer. Called
 * once the server listens. Answers how many were asked for; what fails is logged, as the bot works without it.
 */
export async function recoverDeliveries(ports: {
  readonly deliveries: DeliveryLog;
  readonly store: Pick<RunStore, 'getDelivery'>;
  readonly logger: Logger;
}): Promise<number> {
  const { deliveries, store, logger } = ports;
  const attempts = newestOfEach(await deliveries.recent(MAX_ATTEMPTS));
  const known = await Promise.all(attempts.map(async ({ id }) => (await store.getDelivery(id as DeliveryId)) !== null));
  // What came before the first one that this inbox holds was for another database: its commands were obeyed long ago.
  const first = known.indexOf(true);
  let asked = 0;
  for (const [index, missed] of attempts.entries()) {
    if (first === -1 || index < first || known[index] === true) continue;
    if (asked >= MAX_REDELIVERIES) {
      logger.warn({ limit: MAX_REDELIVERIES }, 'more deliveries were missed than are asked for at once');
      break;
    }
    const accepted = await deliveries.redeliver(missed.attempt);
    logger.info({ delivery: missed.id, event: missed.event, accepted }, 'missed delivery asked for again');
    if (accepted) asked += 1;
  }
  return asked;
}

/** Oldest first, so that they come in the order in which things happened. */
function newestOfEach(attempts: readonly DeliveryAttempt[]): readonly DeliveryAttempt[] {
  const handled: ReadonlySet<string> = new Set(HANDLED_EVENTS);
  const byId = new Map<string, DeliveryAttempt>();
  for (const attempt of attempts)
    if (handled.has(attempt.event) && !byId.has(attempt.id)) byId.set(attempt.id, attempt);
  return [...byId.values()].toReversed();
}
