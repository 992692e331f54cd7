import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { RunId, TreeId } from '../domain/ids.ts';
import type { Sandbox } from './sandbox.ts';
import type { TrustedPath, Workspace } from '../domain/workspace.ts';
import type { Workspaces, WorkspaceState } from './workspaces.ts';
import { baseEnvironment } from './base-environment.ts';
import { makeRunDirectories, removeDirectory, type SandboxUser } from './run-directories.ts';
import { syncTree } from './sync-tree.ts';

const NOTHING: WorkspaceState = { tree: null, installed: null };

const stateSchema = z.object({
  tree: z.custom<TreeId>((value) => typeof value === 'string').nullable(),
  installed: z
    .object({ variables: z.record(z.string(), z.string()), toolchain: z.string(), sandbox: z.string() })
    .nullable(),
});

/** The directories of runs below `<dataDir>/runs`. What is known of one stands beside them, where no sandbox can write. */
export function createWorkspaces(options: {
  readonly dataDir: TrustedPath;
  readonly toolchainDir: TrustedPath;
  readonly user: SandboxUser;
  readonly sandbox: Sandbox;
}): Workspaces {
  const { sandbox } = options;
  return {
    open: (run) => makeRunDirectories({ ...options, run }),
    state: readState,
    markInstalled: async (workspace, environment) =>
      writeState(workspace, { ...(await readState(workspace)), installed: environment }),
    sync: async (workspace, tree, signal) => {
      const state = await readState(workspace);
      // Whoever is killed in between finds a checkout of which nothing is known.
      await writeState(workspace, { ...state, tree: null });
      await syncTree({ sandbox, workspace, from: state.tree, to: tree, environment: baseEnvironment(), signal });
      await writeState(workspace, { ...state, tree });
    },
    remove: (run: RunId) => removeDirectory(path.join(options.dataDir, 'runs', run) as TrustedPath),
  };
}

function stateFile(workspace: Workspace): string {
  return path.join(path.dirname(workspace.treeDir), 'state.json');
}

async function readState(workspace: Workspace): Promise<WorkspaceState> {
  try {
    return stateSchema.parse(JSON.parse(await readFile(stateFile(workspace), 'utf8')));
  } catch {
    // Missing, or half written by a process that died: the caches are made again.
    return NOTHING;
  }
}

async function writeState(workspace: Workspace, state: WorkspaceState): Promise<void> {
  const file = stateFile(workspace);
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
}
