import path from 'node:path';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { BotError } from '../domain/errors.ts';
import { INSIDE, type TrustedPath } from '../domain/workspace.ts';
import { startEgressProxy } from './egress-proxy.ts';
import type { SandboxUser } from './run-directories.ts';
import type { Mount, SandboxSpec } from './sandbox.ts';

const INSIDE_SOCKET_DIR = '/run/egress';
const INSIDE_BRIDGE_DIR = '/opt/egress-bridge';
const BRIDGE_PORT = 3128;

/** Compiled beside this file when the bot is installed, where Node does not strip types. */
const BRIDGE = {
  dir: path.join(import.meta.dirname, 'bridge') as TrustedPath,
  file: import.meta.filename.endsWith('.ts') ? 'egress-bridge.mts' : 'egress-bridge.mjs',
};

/**
 * Starts the bridge apart from the command (its parent becomes the sandbox's first process, with which it dies), waits until it
 * listens, then becomes the command. Its environment is empty: `NODE_OPTIONS` of the caller are for the command.
 */
const LAUNCH = `
ready=/tmp/.egress-ready
mkfifo -m 600 "$ready" || exit 125
(env -i ${INSIDE.toolchain}/bin/node ${INSIDE_BRIDGE_DIR}/${BRIDGE.file} ${BRIDGE_PORT} ${INSIDE_SOCKET_DIR}/proxy.sock >"$ready" &)
read -r answer <"$ready"
rm -f "$ready"
if [ "$answer" != ready ]; then echo 'the way to the egress proxy could not be opened' >&2; exit 125; fi
exec "$@"`;

/** The one way out of a sandbox whose network is `allow`: what must be mounted, set and started for it. */
export interface Egress {
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
  /** Goes before the command. */
  readonly launcher: readonly string[];
  deniedHosts(): readonly string[];
  close(): Promise<void>;
}

/** Null when the command has no network. The proxy is this command's own: it is known by its socket, so there is nothing to steal. */
export async function openEgress(options: {
  readonly spec: Pick<SandboxSpec, 'network' | 'mounts'>;
  readonly user: SandboxUser;
  readonly scratchDir: TrustedPath;
}): Promise<Egress | null> {
  const { network, mounts } = options.spec;
  if (network.mode === 'none') return null;
  if (!mounts.some((mount) => mount.at === INSIDE.toolchain)) {
    throw new BotError(
      'invariant-broken',
      `A command with network needs the toolchain mounted at ${INSIDE.toolchain}.`,
    );
  }
  // mkdtemp makes it 0700: nobody but the sandbox user can connect.
  const dir = (await mkdtemp(path.join(options.scratchDir, 'egress-'))) as TrustedPath;
  const owner = process.getuid?.() === 0 ? options.user : null;
  const proxy = await startEgressProxy({ socketDir: dir, socketName: 'proxy.sock', rules: network.rules });
  if (owner !== null) {
    await chown(path.join(dir, 'proxy.sock'), owner.uid, owner.gid);
    await chown(dir, owner.uid, owner.gid);
  }
  return {
    mounts: [
      { host: dir, at: INSIDE_SOCKET_DIR, mode: 'ro' },
      { host: BRIDGE.dir, at: INSIDE_BRIDGE_DIR, mode: 'ro' },
    ],
    env: proxyEnvironment(),
    launcher: ['/bin/sh', '-c', LAUNCH, 'sh'],
    deniedHosts: () => proxy.deniedHosts(),
    async close() {
      await proxy.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Programs agree neither on the case of these names nor on whether to read them; Node itself does only when told to. */
function proxyEnvironment(): Readonly<Record<string, string>> {
  const url = `http://127.0.0.1:${BRIDGE_PORT}`;
  const local = 'localhost,127.0.0.1,::1';
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: local,
    http_proxy: url,
    https_proxy: url,
    no_proxy: local,
    NODE_USE_ENV_PROXY: '1',
  };
}
