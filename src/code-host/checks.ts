import type { CommitId, RunId } from '../domain/ids.ts';
import type { RepositoryRef } from '../domain/repository.ts';

export interface CheckRunContent {
  readonly run: RunId;
  readonly commit: CommitId;
  readonly status: 'in_progress' | 'completed';
  readonly conclusion: 'success' | 'failure' | 'neutral' | 'cancelled' | null;
  readonly title: string;
  /** Markdown, cut to the host's limit. */
  readonly summary: string;
}

/** The code host's face for check runs: one per run and commit, found by its external id (the run's). */
export interface Checks {
  put(repository: RepositoryRef, content: CheckRunContent): Promise<void>;
}
