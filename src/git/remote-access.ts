import { BotError } from '../domain/errors.ts';
import type { Remote } from './git-repository.ts';
import type { Transport } from './hermetic-settings.ts';

/** A remote that was checked: where to go, by which transport, and the environment that carries the token. */
export interface RemoteAccess {
  readonly url: string;
  readonly transport: Transport;
  /** A secret: for the environment of the one fetch or push. */
  readonly credentials: Readonly<Record<string, string>>;
}

/**
 * Checks that the remote lies where the operator said: exactly that host and protocol, `http` only on this machine, and nothing
 * in the URL that could carry a password or choose another transport. Throws `foreign-host`.
 */
export function accessRemote(remote: Remote): RemoteAccess {
  const url = parseUrl(remote);
  const problem = findProblem(url, remote);
  if (problem !== null) refuse(remote, problem);
  return {
    url: url.href,
    transport: remote.protocol,
    credentials: remote.token === null ? {} : tokenEnvironment(url, remote.token),
  };
}

function parseUrl(remote: Remote): URL {
  try {
    return new URL(remote.url);
  } catch {
    return refuse(remote, 'it is not a URL');
  }
}

function findProblem(url: URL, remote: Remote): string | null {
  if (url.protocol !== `${remote.protocol}:`) return `its protocol is ${url.protocol.slice(0, -1)}`;
  if (url.host !== configuredHost(remote)) return `its host is ${url.host}`;
  if (url.username !== '' || url.password !== '') return 'it carries a user name or password';
  if (url.search !== '' || url.hash !== '') return 'it carries a query or fragment';
  if (remote.protocol === 'http' && !isLoopback(url.hostname)) return 'plain http is for this machine only';
  return null;
}

/** As the URL parser writes it: lower case, without the protocol's default port. */
function configuredHost(remote: Remote): string {
  return URL.parse(`${remote.protocol}://${remote.host}/`)?.host ?? remote.host;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * Scoped to the host's URL, so that git sends it nowhere else, and in the environment of one process: an argument would show in
 * the process list, a URL in error messages, a file outlives the call.
 */
function tokenEnvironment(url: URL, token: string): Record<string, string> {
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${url.origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
}

function refuse(remote: Remote, problem: string): never {
  throw new BotError(
    'foreign-host',
    `The repository's URL is refused: ${problem}, but git may only go to ${remote.protocol}://${remote.host}. ` +
      'Check the host that the bot is configured for.',
    { details: { host: remote.host } },
  );
}
