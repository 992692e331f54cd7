import type { ProbotOctokit } from 'probot';

import type { DeliveryLog } from './delivery-log.ts';
import { mapHostError, orNullWhenSo } from './map-errors.ts';

const PAGE = 100;

/** `appOctokit` acts as the app itself, with its JSON web token. */
export function createGithubDeliveryLog(appOctokit: () => Promise<ProbotOctokit>): DeliveryLog {
  async function call<Value>(doing: string, run: (octokit: ProbotOctokit) => Promise<Value>): Promise<Value> {
    try {
      return await run(await appOctokit());
    } catch (error) {
      throw mapHostError(error, { doing, needs: 'the app itself' });
    }
  }

  return {
    recent: (limit) =>
      call('reading the log of deliveries', async (octokit) => {
        const { rest } = octokit;
        const pages = octokit.paginate.iterator(rest.apps.listWebhookDeliveries, { per_page: Math.min(limit, PAGE) });
        const attempts = [];
        for await (const { data } of pages) {
          attempts.push(...data);
          if (attempts.length >= limit) break;
        }
        return attempts.slice(0, limit).map((entry) => ({
          attempt: entry.id,
          id: entry.guid,
          event: entry.action === null ? entry.event : `${entry.event}.${entry.action}`,
          delivered: entry.status_code >= 200 && entry.status_code < 300,
          deliveredAt: entry.delivered_at,
        }));
      }),

    redeliver: (attempt) =>
      call('asking for a delivery again', async ({ rest }) => {
        const answer = await orNullWhenSo(rest.apps.redeliverWebhookDelivery({ delivery_id: attempt }));
        return answer !== null;
      }),
  };
}
