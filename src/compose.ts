import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { BotError } from './domain/errors.ts';
import { createGithubHost, type CodeHost } from './code-host/github-host.ts';
import { createMechanicalAgent } from './agents/mechanical-agent.ts';
import { createProbot } from './code-host/create-probot.ts';
import { createSandboxedOperations } from './operations/sandboxed-operations.ts';
import { createWorkspaces } from './sandbox/create-workspaces.ts';
import { baseEnvironment } from './sandbox/base-environment.ts';
import { createBubblewrapSandbox } from './sandbox/bubblewrap-sandbox.ts';
import { createUnsandboxed } from './sandbox/unsandboxed.ts';
import { loadRepoConfig } from './config/load-repo-config.ts';
import { makeDirectory } from './sandbox/run-directories.ts';
import { openDatabase } from './database/open-database.ts';
import { openEngine, type Engine } from './engine/open-engine.ts';
import { openGitRepository, requireRecentGit } from './git/open-git-repository.ts';
import { readRegistry } from './sandbox/read-registry.ts';
import { prepareToolchain } from './sandbox/prepare-toolchain.ts';
import { resolveOptions } from './config/resolve-options.ts';
import type { Agent } from './agents/agent.ts';
import type { Clock } from './domain/clock.ts';
import type { Environment } from './domain/verdict.ts';
import type { Logger } from './telemetry/logger.ts';
import type { Ports, Site } from './pipeline/ports.ts';
import type { Probe } from './web/health.ts';
import type { Probot } from 'probot';
import type { EgressRule, Sandbox } from './sandbox/sandbox.ts';
import type { Settings } from './config/settings.ts';
import type { TrustedPath } from './domain/workspace.ts';

/** What the caller decides beside the operator's settings. */
export interface Choices {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Wraps the mechanical agent; the replay agent of demo and tests. */
  readonly wrapAgent?: (mechanical: Agent) => Agent;
  /** Last word on the ports: kill tests and benches look at every call from here. */
  readonly wrapPorts?: (ports: Ports) => Ports;
  /** False only for the embedded code host, which has no limits to respect. */
  readonly paceRequests?: boolean;
}

export interface Composed {
  readonly ports: Ports;
  readonly engine: Engine;
  readonly probot: Probot;
  readonly host: CodeHost;
  /** What `/readyz` asks. */
  readonly probes: Readonly<Record<string, Probe>>;
  /** Closes queue, then database. */
  close(): Promise<void>;
}

/** The only place that picks adapters and wires ports. Throws operator errors that say what to mend. */
export async function compose(settings: Settings, choices: Choices): Promise<Composed> {
  const { logger } = choices;
  const clock = choices.clock ?? { now: () => new Date() };
  const dataDir = await openDataDir(settings.dataDir);
  const database = await openDatabase({
    url: settings.databaseUrl,
    directory: path.join(dataDir, 'database') as TrustedPath,
    logger,
  });
  const engine = await openEngine({ database, clock, logger });
  const close = async () => {
    await engine.queue.close();
    await database.close();
  };
  try {
    const probot = await createProbot({ ...settings, logger, paceRequests: choices.paceRequests ?? true });
    const host = createGithubHost(probot, settings.app.id);
    const ports = await composePorts(settings, { ...choices, clock, dataDir, engine, host });
    return {
      ports: choices.wrapPorts?.(ports) ?? ports,
      engine,
      probot,
      host,
      probes: { database: () => probeDatabase(engine) },
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function openDataDir(directory: string): Promise<TrustedPath> {
  try {
    const dataDir = await makeDirectory(directory, null);
    // The sandbox user passes through; nobody but the bot looks around.
    await chmod(dataDir, 0o711);
    return dataDir;
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';
    throw new BotError(
      'settings-invalid',
      `The data directory ${directory} cannot be used (${code}). Make its owner the user that runs the bot, or set REFACTOR_BOT_DATA_DIR to another.`,
      { cause: thrown },
    );
  }
}

async function probeDatabase({ database }: Engine): Promise<string | null> {
  await database.kysely.selectFrom('run').select('id').limit(1).execute();
  return null;
}

interface Parts extends Choices {
  readonly clock: Clock;
  readonly dataDir: TrustedPath;
  readonly engine: Engine;
  readonly host: CodeHost;
}

async function composePorts(settings: Settings, parts: Parts): Promise<Ports> {
  const { dataDir, logger, host } = parts;
  await requireRecentGit({ gitDir: dataDir, surroundings: surroundingsOf(settings) });
  const toolchain = await prepareToolchain({ dataDir });
  const sandbox = await pickSandbox(settings, parts);
  const operations = createSandboxedOperations({ sandbox });
  const mechanical = createMechanicalAgent({ operations });
  const environment: Environment = {
    variables: baseEnvironment(),
    toolchain: `node ${toolchain.nodeVersion}, npm ${toolchain.npmVersion}`,
    sandbox: sandbox.name,
  };
  return {
    ...host,
    agent: parts.wrapAgent?.(mechanical) ?? mechanical,
    operations,
    sandbox,
    workspaces: createWorkspaces({ dataDir, toolchainDir: toolchain.dir, user: settings.sandbox.user, sandbox }),
    environment,
    store: parts.engine.store,
    clock: parts.clock,
    logger,
    openRepository: (gitDir) => openGitRepository(gitDir, surroundingsOf(settings)),
    site: await siteOf(settings, dataDir, toolchain.dir),
    resolveOptions: async (repository) => {
      const { config } = await loadRepoConfig(host.repositories, repository);
      const layers = { operator: settings.operatorOptions, repository: config, request: {} };
      return resolveOptions(layers, settings.caps).options;
    },
  };
}

/** Tried before anything is accepted: nothing runs in a sandbox that does not hold here, and no weaker one takes its place. */
async function pickSandbox(settings: Settings, parts: Pick<Parts, 'dataDir' | 'logger'>): Promise<Sandbox> {
  const scratchDir = await makeDirectory(path.join(parts.dataDir, 'sandbox'), null);
  const options = { scratchDir, user: settings.sandbox.user, logger: parts.logger };
  if (settings.sandbox.driver === 'none') return createUnsandboxed(options);
  const sandbox = createBubblewrapSandbox(options);
  const { level, missing } = await sandbox.probe();
  if (level === 'full') return sandbox;
  throw new BotError(
    'sandbox-too-weak',
    `The sandbox does not hold on this machine, so nothing is run in it. ${missing.join(' ')}`,
  );
}

function surroundingsOf(settings: Settings) {
  return settings.extraCaCertificates === null ? {} : { caFile: settings.extraCaCertificates };
}

async function siteOf(settings: Settings, dataDir: TrustedPath, toolchainDir: TrustedPath): Promise<Site> {
  const url = settings.registryUrl ?? (await readRegistry(toolchainDir));
  return {
    dataDir,
    gitHost: settings.gitHost,
    // The operator named them, so they may lie on a private network.
    registry: { url, rules: [url, ...settings.registryHosts.map((host) => `https://${host}`)].map(toEgressRule) },
    committer: { name: 'refactor-bot[bot]', email: `${settings.app.id}+refactor-bot[bot]@users.noreply.github.com` },
    sandboxUser: settings.sandbox.user,
  };
}

function toEgressRule(address: string): EgressRule {
  const { hostname, port, protocol } = new URL(address);
  return {
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    allowPrivateAddress: true,
  };
}
