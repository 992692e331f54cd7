import type { ApplicationFunction } from 'probot';

import { acceptDelivery, type AcceptPorts } from './webhooks/accept-delivery.ts';
import { HANDLED_EVENTS } from './webhooks/handle-delivery.ts';

/** The Probot app: stores the deliveries that somebody handles (`webhooks/handle-delivery` has the table). The rest is answered and forgotten. */
export function createApp(ports: AcceptPorts): ApplicationFunction {
  return (app) => {
    for (const event of HANDLED_EVENTS)
      app.on(event, ({ id, payload }) => acceptDelivery(ports, { id, event, payload }));
  };
}
