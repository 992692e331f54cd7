import type { Permission } from '../code-host/repository.ts';
import type { Delivery, DeliveryPorts } from './delivery.ts';

const MAY_STEER: ReadonlySet<Permission> = new Set(['write', 'maintain', 'admin']);

/** Bots are never answered: two that answer each other would not stop, and the bot's own comments come back as deliveries. */
export function isBot({ sender }: Pick<Delivery, 'sender'>): boolean {
  return sender.type === 'Bot' || sender.login.endsWith('[bot]');
}

/**
 * Whether the sender may steer the bot on that repository, asked from the host now. Payloads hold an `author_association`, which
 * is stale, hides private membership and says nothing about write access.
 */
export async function maySteer({ repositories }: DeliveryPorts, delivery: Delivery): Promise<boolean> {
  return MAY_STEER.has(await repositories.permissionOf(delivery.repository, delivery.sender.login));
}
