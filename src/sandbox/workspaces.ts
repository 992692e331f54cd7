import type { RunId, TreeId } from '../domain/ids.ts';
import type { Environment } from '../domain/verdict.ts';
import type { Workspace } from '../domain/workspace.ts';

/** What a machine remembers of a run's directories: a cache, lost without harm. */
export interface WorkspaceState {
  /** The tree the checkout holds; null while it is being changed or was never filled. */
  readonly tree: TreeId | null;
  /** The environment of the repository's commands once the dependencies of the run's base are installed; null before. */
  readonly installed: Environment | null;
}

/** The directories of runs on this machine. */
export interface Workspaces {
  /** Makes them, or finds those of an earlier attempt. */
  open(run: RunId): Promise<Workspace>;
  state(workspace: Workspace): Promise<WorkspaceState>;
  markInstalled(workspace: Workspace, environment: Environment): Promise<void>;
  /** Brings the checkout to `tree` inside the sandbox: tracked files exact, untracked ones gone, ignored ones (dependencies) kept. */
  sync(workspace: Workspace, tree: TreeId, signal: AbortSignal): Promise<void>;
  /** Removes them all. Never throws for what is gone already. */
  remove(run: RunId): Promise<void>;
}
