import type { Baseline, Environment } from '../domain/verdict.ts';
import type { CommitId, RunId, TreeId } from '../domain/ids.ts';
import type { GitRepository, Remote } from '../git/git-repository.ts';
import type { MeasurementCache } from './indexing/build-code-index.ts';
import type { Ports } from './ports.ts';
import type { ResultStore } from './verification/verdict-cache.ts';
import type { RunOptions } from '../domain/options.ts';
import type { RunRequest } from '../domain/run.ts';
import type { RunView } from '../domain/run-view.ts';
import type { Steps } from '../engine/durable-step.ts';
import type { Toolchain } from '../domain/toolchain.ts';
import type { Workspace } from '../domain/workspace.ts';

/** What the phases of one run share. Everything in it can be made again from the ledger and the code host. */
export interface RunContext {
  readonly id: RunId;
  readonly request: RunRequest;
  readonly options: RunOptions;
  readonly ports: Ports;
  readonly steps: Steps;
  readonly git: GitRepository;
  readonly workspace: Workspace;
  readonly environment: Environment;
  readonly baseCommit: CommitId;
  readonly baseTree: TreeId;
  readonly cache: MeasurementCache;
  /** Check results of this process, by tree, command and environment. */
  readonly results: ResultStore;
  /** A remote with a token that is valid now: tokens expire during long runs, so never keep one. */
  readonly remote: () => Promise<Remote>;
  /** The run as its ledger tells it now. */
  readonly view: () => Promise<RunView>;
  /** What was recorded before anything changed. Only after the baseline phase. */
  readonly baseline: () => Promise<Baseline>;
  /** Detected once from the base tree. */
  readonly toolchain: () => Promise<Toolchain>;
  /**
   * Brings the checkout to a tree, installing dependencies first if this machine has not done it for this run. Answers the
   * environment of the repository's commands.
   */
  readonly checkout: (tree: TreeId) => Promise<Environment>;
}
