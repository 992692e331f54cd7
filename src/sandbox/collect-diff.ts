import { BotError } from '../domain/errors.ts';
import type { TreeId } from '../domain/ids.ts';
import type { Workspace } from '../domain/workspace.ts';
import { runGitInside } from './git-inside.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * `$1` is the tree to compare with. A text file in another encoding would not survive as text: then all changes are told as binary
 * ones, which do, and which the gate judges.
 */
const COLLECT = `
set -eu
: >/tmp/attributes
hermetic_git read-tree "$1"
hermetic_git add --all -- . 2>/dev/null
difference() {
  hermetic_git diff --cached --binary --full-index --no-color --no-ext-diff --no-textconv --no-renames "$1"
}
difference "$1" >/tmp/diff
if ! iconv -f UTF-8 -t UTF-8 /tmp/diff >/dev/null 2>&1; then
  echo '* -diff' >/tmp/attributes
  difference "$1" >/tmp/diff
fi
cat /tmp/diff`;

/**
 * What the checkout has that `base` has not, as a unified diff: collected in a sandbox without network over a read-only tree, as git
 * itself runs programs that a tree names. The answer is as untrusted as the tree; empty when nothing changed.
 * Throws `patch-rejected` when it is larger than a patch may be.
 */
export async function collectDiff(options: {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly base: TreeId;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}): Promise<string> {
  const result = await runGitInside({
    ...options,
    tree: 'ro',
    script: COLLECT,
    args: [options.base],
    what: 'Collecting a diff',
  });
  if (result.droppedBytes > 0) {
    throw new BotError('patch-rejected', 'The changes to the tree are larger than any patch may be (20 MiB).');
  }
  return result.stdout;
}
