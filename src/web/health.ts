import type { IncomingMessage, ServerResponse } from 'node:http';

/** Says what keeps the bot from working (`database: not reachable`, without secrets), or null when nothing does. */
export type Probe = () => Promise<string | null>;

/** A probe that does not answer is an answer too. */
const PROBE_TIMEOUT_MS = 5000;

/**
 * Answers `GET /healthz` (the process runs) and `GET /readyz` (every probe passes; 503 names those that do not). True when the
 * request was one of them.
 */
export function createHealthHandler(probes: Readonly<Record<string, Probe>>) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const path = request.url?.split('?', 1)[0];
    if ((request.method !== 'GET' && request.method !== 'HEAD') || (path !== '/healthz' && path !== '/readyz'))
      return false;
    const problems = path === '/healthz' ? {} : await ask(probes);
    const ready = Object.keys(problems).length === 0;
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
    response.writeHead(ready ? 200 : 503, headers).end(JSON.stringify({ ok: ready, problems }));
    return true;
  };
}

async function ask(probes: Readonly<Record<string, Probe>>): Promise<Readonly<Record<string, string>>> {
  const answers = await Promise.all(
    Object.entries(probes).map(async ([name, probe]) => [name, await askOne(probe)] as const),
  );
  return Object.fromEntries(answers.flatMap(([name, problem]) => (problem === null ? [] : [[name, problem]])));
}

async function askOne(probe: Probe): Promise<string | null> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve('no answer'), PROBE_TIMEOUT_MS);
  try {
    return await Promise.race([probe(), late.promise]);
  } catch {
    // Its words may hold a connection string; the log has them.
    return 'failed';
  } finally {
    clearTimeout(timer);
  }
}
