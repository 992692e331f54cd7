import type { CommitId } from '../domain/ids.ts';
import type { RepositoryRef } from '../domain/repository.ts';

export type Permission = 'none' | 'read' | 'triage' | 'write' | 'maintain' | 'admin';

/** The code host's face for repositories. Every method throws `BotError` (`rate-limited`, `host-unavailable`, `permission-missing`, …). */
export interface RepositoryHost {
  /** Asked from the host at this moment, never cached. */
  permissionOf(repository: RepositoryRef, login: string): Promise<Permission>;
  /** Null when the branch does not exist (an empty repository has none). */
  branchHead(repository: RepositoryRef, branch: string): Promise<CommitId | null>;
  /** Text of a file at a branch; null when there is none. At most 1 MiB, else `config-invalid`. */
  readTextFile(
    repository: RepositoryRef,
    file: { readonly path: string; readonly ref: string },
  ): Promise<string | null>;
  /** True when it was deleted now, false when it was gone already. */
  deleteBranch(repository: RepositoryRef, branch: string): Promise<boolean>;
  /** Short-lived token for git over HTTP, narrowed to this repository. A secret: only `src/git` may use it. */
  cloneToken(repository: RepositoryRef): Promise<string>;
}
