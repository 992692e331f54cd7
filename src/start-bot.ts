import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeMiddleware } from 'probot';
import { BotError } from './domain/errors.ts';
import { createApp } from './app.ts';
import { createHealthHandler } from './web/health.ts';
import { readBody } from './web/read-body.ts';
import { compose, type Choices, type Composed } from './compose.ts';
import { handleDelivery } from './webhooks/handle-delivery.ts';
import { recoverDeliveries } from './webhooks/recover-deliveries.ts';
import { refactorRepository } from './pipeline/refactor-repository.ts';
import { settleRun } from './pipeline/settle-run.ts';
import { startWorker, type Worker, type WorkerOptions } from './engine/worker.ts';
import type { Settings } from './config/settings.ts';

export const WEBHOOK_PATH = '/api/github/webhooks';

/** GitHub sends no larger delivery. Whoever else sends one is known by its signature, which is over all of the body. */
const MAX_BODY_BYTES = 25 * 1024 * 1024;

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

/** Server and worker in one process. Throws operator errors that say what to mend, and has stopped what it had started by then. */
export async function startBot(settings: Settings, choices: StartChoices): Promise<Bot> {
  const composed = await compose(settings, choices);
  const { worker, server } = await startBoth(settings, composed, choices);
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

async function startBoth(
  settings: Settings,
  composed: Composed,
  choices: StartChoices,
): Promise<{ readonly worker: Worker; readonly server: Server }> {
  let worker: Worker | null = null;
  try {
    worker = await startWorking(settings, composed, choices);
    return { worker, server: await listen(settings, composed, worker) };
  } catch (thrown) {
    await worker?.stop();
    await composed.close();
    throw thrown;
  }
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
    if (await answerHealth(request, response)) return;
    if (request.method === 'POST') {
      const body = await readBody(request, MAX_BODY_BYTES);
      if (body === null) return void response.writeHead(413, { connection: 'close' }).end();
      // Probot takes the body from here when somebody has read it.
      Object.assign(request, { body });
    }
    if (await webhooks(request, response)) return;
    if (!response.headersSent) response.writeHead(404).end();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // Mostly a sender that went away; nobody else would hear of it, and an error that nobody hears ends the process.
      ports.logger.warn({ err: error }, 'request not answered');
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(settings.listen, error)));
    server.listen(settings.listen.port, settings.listen.host, resolve);
  });
  return server;
}

function cannotListen({ host, port }: Settings['listen'], error: Error): BotError {
  const code = 'code' in error ? String(error.code) : error.message;
  const mend =
    code === 'EADDRINUSE'
      ? 'Something else listens there: stop it, or set PORT to another.'
      : 'Set HOST and PORT to an address of this machine that its user may listen on.';
  return new BotError('settings-invalid', `The bot cannot listen on ${host}:${port} (${code}). ${mend}`, {
    cause: error,
  });
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
