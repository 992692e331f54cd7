import type { TreeId } from '../domain/ids.ts';
import type { Workspace } from '../domain/workspace.ts';
import { runGitInside } from './git-inside.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * `$1` the tree wanted, `$2` the tree it was at or nothing. The index is made from the old tree and its entries compared by content
 * (never by a time that a test may have set), so that only what differs is written: unchanged files keep their times and the tools'
 * caches stay warm. A second try after opening directories that something closed.
 */
const SYNC = `
set -u
bring() {
  rm -f /tmp/index &&
  rm -rf .git &&
  { [ -z "$2" ] || hermetic_git read-tree "$2"; } &&
  { hermetic_git update-index -q --refresh >/dev/null || true; } &&
  hermetic_git read-tree --reset -u "$1" &&
  hermetic_git clean -ffdq
}
bring "$1" "$2" 2>/tmp/first || { chmod -R u+rwX . 2>/dev/null; bring "$1" "$2"; }`;

/**
 * Brings the checkout to tree `to`, inside the sandbox: tracked files exactly as in `to`, untracked files gone, ignored ones (and
 * every `node_modules`) kept. `from` is the tree it was at, null when unknown or empty: this also makes the first checkout.
 * `environment` is that of the repository's commands (`baseEnvironment()` will do).
 * Throws `disk-full`, or `invariant-broken` when a tree is not in the workspace's repository.
 */
export async function syncTree(options: {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly from: TreeId | null;
  readonly to: TreeId;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}): Promise<void> {
  await runGitInside({
    ...options,
    tree: 'rw',
    script: SYNC,
    args: [options.to, options.from ?? ''],
    what: 'Checking out a tree',
  });
}
