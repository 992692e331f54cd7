import type { z } from 'zod';

import type { DeliveryRow } from '../database/run-store.ts';
import { BotError, toBotError } from '../domain/errors.ts';
import type { RepositoryRef } from '../domain/repository.ts';
import { redactSecrets } from '../telemetry/redact.ts';
import type { Delivery, DeliveryPorts, HandledAs } from './delivery.ts';
import { onCommandComment } from './on-command-comment.ts';
import { onLabel } from './on-label.ts';
import { onPullRequestClosed } from './on-pull-request-closed.ts';
import { commentCreated, issueLabeled, pullRequestClosed, type CommonPayload } from './payloads.ts';

type Handle = (ports: DeliveryPorts, row: DeliveryRow) => Promise<HandledAs>;

/** The one table of events. An event that is not here is not stored. */
const HANDLERS = {
  'issues.labeled': reading(issueLabeled, onLabel),
  'issue_comment.created': reading(commentCreated, onCommandComment),
  'pull_request.closed': reading(pullRequestClosed, onPullRequestClosed),
} as const satisfies Readonly<Record<string, Handle>>;

export type HandledEvent = keyof typeof HANDLERS;

export const HANDLED_EVENTS = Object.keys(HANDLERS) as readonly HandledEvent[];

/**
 * Handles a stored delivery and settles it. At least once: each effect is idempotent. Throws only what trying again later may mend,
 * leaving it unsettled; everything else is logged and settled, so that no delivery is tried for ever.
 */
export async function handleDelivery(ports: DeliveryPorts, row: DeliveryRow): Promise<void> {
  const logger = ports.logger.child({ delivery: row.id, event: row.event });
  try {
    const handledAs = await route({ ...ports, logger }, row);
    logger.info({ handledAs }, 'delivery handled');
    await ports.store.settleDelivery(row.id, { handledAs, error: null });
  } catch (thrown) {
    const error = toBotError(thrown);
    if (isWorthAnotherTry(error)) throw error;
    logger.error({ err: error }, 'delivery failed');
    const message = `${error.code}: ${redactSecrets(error.message)}`;
    await ports.store.settleDelivery(row.id, { handledAs: 'failed', error: message });
  }
}

function isWorthAnotherTry(error: BotError): boolean {
  // A permission may never be granted, and a repository that the app was taken off will not come back.
  return error.category === 'transient' || (error.category === 'operator' && error.code !== 'permission-missing');
}

async function route(ports: DeliveryPorts, row: DeliveryRow): Promise<HandledAs> {
  const handle: Handle | undefined = Object.hasOwn(HANDLERS, row.event)
    ? HANDLERS[row.event as HandledEvent]
    : undefined;
  return handle === undefined ? 'ignored: nobody handles this event' : handle(ports, row);
}

function reading<Payload extends CommonPayload>(
  schema: z.ZodType<Payload>,
  handle: (ports: DeliveryPorts, delivery: Delivery, payload: Payload) => Promise<HandledAs>,
): Handle {
  return async (ports, row) => {
    const parsed = schema.safeParse(row.payload);
    if (!parsed.success) {
      const fields = parsed.error.issues.map((issue) => issue.path.join('.'));
      ports.logger.warn({ fields }, 'delivery lacks fields');
      return `ignored: unusable fields ${fields.slice(0, 10).join(', ')}`;
    }
    return handle(ports, toDelivery(ports, row, parsed.data), parsed.data);
  };
}

function toDelivery({ gitHost }: DeliveryPorts, row: DeliveryRow, payload: CommonPayload): Delivery {
  const { repository, installation, sender } = payload;
  assertOurHost(repository.clone_url, gitHost);
  const ref: RepositoryRef = {
    owner: repository.owner.login,
    name: repository.name,
    installationId: installation.id,
    cloneUrl: repository.clone_url,
    defaultBranch: repository.default_branch,
    private: repository.private,
  };
  return { id: row.id, receivedAt: row.receivedAt, repository: ref, sender };
}

/** An installation token goes to the clone URL's host: to any but the configured one it would be given away. */
function assertOurHost(cloneUrl: string, { host, protocol }: DeliveryPorts['gitHost']): void {
  const url = URL.canParse(cloneUrl) ? new URL(cloneUrl) : null;
  const plain = url !== null && url.username === '' && url.password === '';
  if (plain && url.host === host && url.protocol === `${protocol}:`) return;
  throw new BotError(
    'foreign-host',
    `A delivery names a repository at ${url?.origin ?? 'no readable address'}, but this bot serves ${protocol}://${host} alone. If that is your server, set GHE_HOST and GHE_PROTOCOL to it.`,
  );
}
