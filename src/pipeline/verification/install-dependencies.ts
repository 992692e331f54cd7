import { BotError } from '../../domain/errors.ts';
import type { Toolchain } from '../../domain/toolchain.ts';
import type { Environment } from '../../domain/verdict.ts';
import { INSIDE, type Workspace } from '../../domain/workspace.ts';
import type { Sandbox, SandboxResult } from '../../sandbox/sandbox.ts';
import type { Site } from '../ports.ts';
import { outputTail } from './output-tail.ts';
import { INSTALL_LIMITS } from './sandbox-limits.ts';

export interface InstallRequest {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly toolchain: Toolchain;
  readonly site: Pick<Site, 'registry'>;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** On disk beside the tools: the sandbox's home is a small file system in memory. */
const CACHE = `${INSIDE.tools}/.cache`;

/**
 * Fetches the package manager, then the dependencies, into the tree. Answers the environment of every later command: the given
 * one with what the package manager needs, and its exact version. Throws `dependencies-not-installed`, with the end of what the
 * command printed as its `evidence`, which the person is shown.
 */
export async function installDependencies(request: InstallRequest): Promise<Environment> {
  const { toolchain, environment } = request;
  for (const command of [...toolchain.setup, ...toolchain.install]) {
    const result = await runWithRegistry(command, request);
    if (result.outcome.kind === 'exited' && result.outcome.code === 0) continue;
    throw notInstalled(command, result);
  }
  const versions = [environment.toolchain, await managerVersion(request)].filter((part) => part !== '');
  return {
    ...environment,
    variables: { ...environment.variables, ...toolchain.variables },
    toolchain: versions.join(', '),
  };
}

async function runWithRegistry(command: string, request: InstallRequest): Promise<SandboxResult> {
  const { workspace, site, environment, toolchain } = request;
  return request.sandbox.run(
    {
      argv: ['/bin/sh', '-c', `${PROXY_FOR_YARN}\n${command}`],
      cwd: INSIDE.tree,
      mounts: [
        { host: workspace.treeDir, at: INSIDE.tree, mode: 'rw' },
        { host: workspace.toolsDir, at: INSIDE.tools, mode: 'rw' },
        { host: workspace.toolchainDir, at: INSIDE.toolchain, mode: 'ro' },
      ],
      env: { ...environment.variables, ...toolchain.variables, ...installVariables(toolchain, site.registry.url) },
      // The first rule for a host decides, and the operator's may say more of it.
      network: { mode: 'allow', rules: site.registry.rules },
      limits: INSTALL_LIMITS,
    },
    request.signal,
  );
}

/** The sandbox names its proxy by the usual variables; yarn from version 2 on reads only its own. */
const PROXY_FOR_YARN =
  'if [ -n "$HTTPS_PROXY" ]; then export YARN_HTTP_PROXY="$HTTPS_PROXY" YARN_HTTPS_PROXY="$HTTPS_PROXY"; fi';

function installVariables(toolchain: Toolchain, registry: string): Readonly<Record<string, string>> {
  const common = {
    // An operator's network may have a certificate authority of its own; it is in the system's store, which node leaves unread.
    NODE_USE_SYSTEM_CA: '1',
    npm_config_registry: registry,
    npm_config_cache: `${CACHE}/npm`,
    npm_config_update_notifier: 'false',
    // A refused host stays refused: npm would wait for minutes between its attempts.
    npm_config_fetch_retry_mintimeout: '1000',
    npm_config_fetch_retry_maxtimeout: '5000',
    // The toolchain's Node is newer than most `engines` fields know.
    npm_config_engine_strict: 'false',
  };
  switch (toolchain.packageManager?.name) {
    case 'pnpm':
      // From version 11 pnpm reads variables of its own prefix. Without a named store it makes one in the tree.
      return {
        ...common,
        npm_config_store_dir: `${CACHE}/pnpm`,
        pnpm_config_store_dir: `${CACHE}/pnpm`,
        pnpm_config_registry: registry,
        pnpm_config_engine_strict: 'false',
      };
    case 'yarn':
      return { ...common, YARN_CACHE_FOLDER: `${CACHE}/yarn` };
    case 'yarn-berry':
      return {
        ...common,
        YARN_NPM_REGISTRY_SERVER: registry,
        YARN_ENABLE_SCRIPTS: 'false',
        // On a busy machine one of yarn's fifty requests at a time may wait for longer than it allows, and then it crashes.
        YARN_NETWORK_CONCURRENCY: '16',
        YARN_HTTP_TIMEOUT: '180000',
      };
    case 'npm':
    case undefined:
      return common;
  }
}

/** `pnpm 9.15.9`; empty when there is nothing beside the toolchain's own npm. */
async function managerVersion(request: InstallRequest): Promise<string> {
  const manager = request.toolchain.packageManager;
  if (manager === null || request.toolchain.setup.length === 0) return '';
  const binary = manager.name === 'pnpm' ? 'pnpm' : 'yarn';
  const result = await runWithRegistry(`${binary} --version`, request);
  const version = /^\d+\.\d+\.\d+\S*$/m.exec(result.stdout)?.[0];
  return `${binary} ${version ?? manager.version}`;
}

function notInstalled(command: string, result: SandboxResult): BotError {
  if (result.outcome.kind === 'setup-failed') {
    return new BotError('sandbox-too-weak', `The sandbox could not start "${command}": ${result.outcome.detail}`);
  }
  const denied = [...new Set(result.deniedHosts)];
  const refused =
    denied.length === 0
      ? ''
      : ` It asked for ${denied.join(', ')}; only the operator's package registries can be reached (REFACTOR_BOT_REGISTRY_HOSTS adds some).`;
  return new BotError(
    'dependencies-not-installed',
    `"${command}" failed, so nothing could be checked.${refused} Mend it, or set "install" in the bot's configuration.`,
    {
      details: {
        command,
        outcome: result.outcome.kind,
        evidence: outputTail(result.output),
        deniedHosts: denied,
      },
    },
  );
}
