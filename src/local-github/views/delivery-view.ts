import type { Schema } from './schema.ts';
import type { DeliveryRecord } from '../state/records.ts';
import type { Site } from '../state/site.ts';

export function deliveryView(delivery: DeliveryRecord): Schema<'hook-delivery-item'> {
  const { id, guid, at, redelivery, durationMs, response, event, action, installationId, repositoryId } = delivery;
  return {
    id,
    guid,
    // Deliveries are the one place where GitHub shows milliseconds.
    delivered_at: at.toISOString(),
    redelivery,
    duration: durationMs / 1000,
    status: response.status < 400 ? 'OK' : response.statusText,
    status_code: response.status,
    event,
    action,
    installation_id: installationId,
    repository_id: repositoryId,
    throttled_at: null,
  };
}

export function deliveryDetailView(site: Site, delivery: DeliveryRecord): Schema<'hook-delivery'> {
  const { request, response, id, installationId, repositoryId } = delivery;
  return {
    ...deliveryView(delivery),
    id,
    installation_id: installationId,
    repository_id: repositoryId,
    url: site.app.webhookUrl ?? '',
    request: { headers: request.headers, payload: request.payload },
    response: { headers: {}, payload: response.body },
  };
}
