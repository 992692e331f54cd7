import type { CommitId, TreeId } from '../domain/ids.ts';
import type { DiffStat } from '../domain/patch.ts';
import type { TrustedPath } from '../domain/workspace.ts';

/** Where git may go: exactly this host over exactly this protocol. The token leaves in one process's environment only. */
export interface Remote {
  readonly url: string;
  readonly host: string;
  readonly protocol: 'https' | 'http';
  readonly token: string | null;
}

export interface TreeEntry {
  readonly path: string;
  /** `100644`, `100755`, `120000` (symlink), `160000` (submodule). */
  readonly mode: string;
  readonly oid: string;
  /** Bytes; null for a submodule. */
  readonly size: number | null;
}

export interface NewCommit {
  readonly tree: TreeId;
  readonly parent: CommitId;
  readonly message: string;
  readonly identity: { readonly name: string; readonly email: string };
  /** Author and committer date: recorded before, so that doing it again gives the same id. */
  readonly date: Date;
}

/** A commit as it is read back. `message` is the whole text. */
export interface CommitRecord {
  readonly commit: CommitId;
  readonly tree: TreeId;
  /** Author's date, to the second. */
  readonly date: Date;
  readonly message: string;
}

/**
 * The git verbs the bot uses, on one bare trusted repository, with every setting forced (no system or user configuration, no
 * hooks, no drivers, no other transport). Never opens a work tree that untrusted code wrote: `checkout` fills an empty directory.
 * Throws `foreign-host`, `host-unavailable`, `credentials-rejected`, `push-raced`, `repository-empty`, `binary-missing`.
 */
export interface GitRepository {
  readonly gitDir: TrustedPath;
  /** Brings `branch` (and with it its history) in; answers its commit, null when the remote has no such branch. */
  fetchBranch(remote: Remote, branch: string, signal: AbortSignal): Promise<CommitId | null>;
  hasCommit(commit: CommitId): Promise<boolean>;
  treeOf(commit: CommitId): Promise<TreeId>;
  listTree(tree: TreeId): Promise<readonly TreeEntry[]>;
  /** Contents by blob id, as bytes. Missing ids are an error. */
  readBlobs(oids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Writes the files of a tree into an empty directory the bot made. */
  checkout(tree: TreeId, into: TrustedPath): Promise<void>;
  /** The tree that the diff gives, through a temporary index; or git's words why it does not apply. */
  apply(tree: TreeId, diff: string): Promise<{ readonly tree: TreeId } | { readonly problem: string }>;
  /** Unified diff with full index lines and without rename detection. */
  diff(from: TreeId, to: TreeId): Promise<{ readonly text: string; readonly stat: DiffStat }>;
  commit(commit: NewCommit): Promise<CommitId>;
  /** The commits that `head` has and `base` has not, oldest first, along first parents. */
  listCommits(range: { readonly base: CommitId; readonly head: CommitId }): Promise<readonly CommitRecord[]>;
  /** Pushes with lease: the branch must be at `expected` (null: must not exist), or already at `commit` (then nothing happens). */
  push(
    remote: Remote,
    change: { readonly branch: string; readonly commit: CommitId; readonly expected: CommitId | null },
    signal: AbortSignal,
  ): Promise<void>;
  /** All refs into one file; answers its size in bytes. */
  bundle(file: TrustedPath): Promise<number>;
  /** Commits of the last year that touched each path; empty for a history that is not there. */
  churn(commit: CommitId): Promise<Readonly<Record<string, number>>>;
}
