import type { Environment } from '../domain/verdict.ts';
import type { Ports } from './ports.ts';
import type { Toolchain } from '../domain/toolchain.ts';
import type { TreeId } from '../domain/ids.ts';
import type { Workspace } from '../domain/workspace.ts';
import { installDependencies } from './verification/install-dependencies.ts';

/**
 * Brings the checkout to a tree, exactly: what tests left behind is gone. Dependencies are those of the base, installed the first
 * time this machine sees the run; a patch cannot change them (the gate refuses lock files and new dependencies).
 */
export async function prepareCheckout(request: {
  readonly tree: TreeId;
  readonly baseTree: TreeId;
  readonly workspace: Workspace;
  readonly environment: Environment;
  readonly toolchain: Toolchain;
  readonly ports: Pick<Ports, 'workspaces' | 'sandbox' | 'site'>;
  readonly signal: AbortSignal;
}): Promise<Environment> {
  const { workspace, signal, ports } = request;
  const state = await ports.workspaces.state(workspace);
  const environment = state.installed ?? (await install(request));
  await ports.workspaces.sync(workspace, request.tree, signal);
  return environment;
}

async function install(request: Parameters<typeof prepareCheckout>[0]): Promise<Environment> {
  const { workspace, signal, ports } = request;
  await ports.workspaces.sync(workspace, request.baseTree, signal);
  const environment = await installDependencies({ ...request, sandbox: ports.sandbox, site: ports.site });
  await ports.workspaces.markInstalled(workspace, environment);
  return environment;
}
