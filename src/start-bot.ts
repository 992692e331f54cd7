import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeMiddleware } from 'probot';
import { createApp } from './app.ts';
import { createHealthHandler } from './web/health.ts';
import { compose, type Choices, type Composed } from './compose.ts';
import { handleDelivery } from './webhooks/handle-delivery.ts';
import { recoverDeliveries } from './webhooks/recover-deliveries.ts';
import { refactorRepository } from './pipeline/refactor-repository.ts';
import { settleRun } from './pipeline/settle-run.ts';
import { startWorker, type Worker, type WorkerOptions } from './engine/worker.ts';
import type { Settings } from './config/settings.ts';

export const WEBHOOK_PATH = '/api/github/webhooks';

export interface Bot {
  /** `http://127.0.0.1:3000`: where it listens. */
  readonly url: string;
  readonly composed: Composed;
  /** Takes no more deliveries, lets the worker put its runs down at their last step, closes the database. */
  stop(): Promise<void>;
}

export interface StartChoices extends Choices {
  readonly observe?: WorkerOptions['observe'];
}

/** Server and worker in one process. */
export async function startBot(settings: Settings, choices: StartChoices): Promise<Bot> {
  const composed = await compose(settings, choices);
  const worker = await startWorking(settings, composed, choices);
  const server = await listen(settings, composed, worker);
  const { port } = server.address() as AddressInfo;
  const shownHost = settings.listen.host === '0.0.0.0' ? '127.0.0.1' : settings.listen.host;
  choices.logger.info({ port }, 'listening');
  await askForMissedDeliveries(composed, choices);
  return {
    url: `http://${shownHost}:${port}`,
    composed,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await worker.stop();
      await composed.close();
    },
  };
}

async function startWorking(settings: Settings, composed: Composed, choices: StartChoices): Promise<Worker> {
  const { ports, engine } = composed;
  const deliveryPorts = { ...ports, gitHost: settings.gitHost, operatorOptions: settings.operatorOptions };
  return startWorker({
    ...engine,
    clock: ports.clock,
    logger: choices.logger,
    handlers: {
      'advance-run': (run, steps) => refactorRepository(run, steps, ports),
      'settle-run': (run) => settleRun(run, ports),
      'handle-delivery': (delivery) => handleDelivery(deliveryPorts, delivery),
    },
    limits: { concurrency: settings.workers, perInstallation: settings.workers },
    ...(choices.observe === undefined ? {} : { observe: choices.observe }),
  });
}

async function listen(settings: Settings, composed: Composed, worker: Worker): Promise<Server> {
  const { ports, probot } = composed;
  const app = createApp({
    store: ports.store,
    clock: ports.clock,
    logger: ports.logger,
    onAccepted: () => worker.nudge(),
  });
  const webhooks = await createNodeMiddleware(app, { probot, webhooksPath: WEBHOOK_PATH });
  const answerHealth = createHealthHandler(composed.probes);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if ((await answerHealth(request, response)) || (await webhooks(request, response))) return;
    if (!response.headersSent) response.writeHead(404).end();
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.listen.port, settings.listen.host, resolve);
  });
  return server;
}

/** Deliveries that came while nobody listened; an unreachable host is no reason not to start. */
async function askForMissedDeliveries(composed: Composed, choices: StartChoices): Promise<void> {
  try {
    await recoverDeliveries({
      deliveries: composed.host.deliveries,
      store: composed.ports.store,
      logger: choices.logger,
    });
  } catch (error) {
    choices.logger.warn({ err: error }, 'missed deliveries could not be asked for');
  }
}
