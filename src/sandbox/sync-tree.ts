import { BotError } from '../domain/errors.ts';
import type { TreeId } from '../domain/ids.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * Brings the checkout to tree `to`, inside the sandbox: tracked files exactly as in `to`, untracked files gone, ignored ones (and
 * every `node_modules`) kept. `from` is the tree it was at, null when unknown or empty: this also makes the first checkout.
 * `environment` is that of the repository's commands (`baseEnvironment()` will do).
 */
export async function syncTree(_options: {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly from: TreeId | null;
  readonly to: TreeId;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}): Promise<void> {
  throw new BotError('invariant-broken', 'syncTree is being built.');
}
