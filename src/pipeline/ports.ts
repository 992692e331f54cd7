import type { Agent } from '../agents/agent.ts';
import type { Checks } from '../code-host/checks.ts';
import type { Clock } from '../domain/clock.ts';
import type { Conversation } from '../code-host/conversation.ts';
import type { EgressRule, Sandbox } from '../sandbox/sandbox.ts';
import type { Operations } from '../operations/operations.ts';
import type { PullRequests } from '../code-host/pull-requests.ts';
import type { RepositoryHost } from '../code-host/repository.ts';
import type { RunStore } from '../database/run-store.ts';
import type { GitRepository } from '../git/git-repository.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Environment } from '../domain/verdict.ts';
import type { TrustedPath } from '../domain/workspace.ts';
import type { Workspaces } from '../sandbox/workspaces.ts';
import type { RunOptions } from '../domain/options.ts';
import type { RepositoryRef } from '../domain/repository.ts';

/** Everything a flow may touch outside itself. A stage takes `Pick<Ports, …>`, so that its signature says what it touches. */
export interface Ports {
  readonly agent: Agent;
  readonly operations: Operations;
  readonly sandbox: Sandbox;
  readonly workspaces: Workspaces;
  readonly environment: Environment;
  readonly repositories: RepositoryHost;
  readonly conversation: Conversation;
  readonly pullRequests: PullRequests;
  readonly checks: Checks;
  readonly store: RunStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The trusted bare repository of a run, opened with the operator's settings. */
  readonly openRepository: (gitDir: TrustedPath) => Promise<GitRepository>;
  readonly site: Site;
  /** What a run of this repository goes by, from the operator and the repository's file at its default branch. `config-invalid`. */
  readonly resolveOptions: (repository: RepositoryRef) => Promise<RunOptions>;
}

/** What the operator's installation fixes for every run. */
export interface Site {
  /** Runs, backups and the toolchain live below it. */
  readonly dataDir: TrustedPath;
  /** Host (with port) that clone URLs must have, and the one transport git may use. */
  readonly gitHost: { readonly host: string; readonly protocol: 'https' | 'http' };
  /** Package registry of the operator: what installation may reach beside the public ones. */
  readonly registry: { readonly url: string; readonly rules: readonly EgressRule[] };
  /** Commits are by this identity. */
  readonly committer: { readonly name: string; readonly email: string };
  /** Uid and gid the sandbox runs as when the bot is root; null when it is not. */
  readonly sandboxUser: { readonly uid: number; readonly gid: number } | null;
}
