import type { RepositoryRef } from '../domain/repository.ts';

export interface PullRequestView {
  readonly number: number;
  readonly url: string;
  readonly open: boolean;
  readonly merged: boolean;
  readonly mergeCommit: string | null;
  readonly headBranch: string;
  readonly headCommit: string;
}

/** The code host's face for pull requests. */
export interface PullRequests {
  /** The pull request of that head branch, open or closed, newest first; null when there is none. */
  findByHead(repository: RepositoryRef, headBranch: string): Promise<PullRequestView | null>;
  /** Opens it, or answers the one that is there and brings its title and body up to date. */
  put(
    repository: RepositoryRef,
    pull: { readonly head: string; readonly base: string; readonly title: string; readonly body: string },
  ): Promise<PullRequestView>;
  get(repository: RepositoryRef, number: number): Promise<PullRequestView | null>;
  /** Files changed by other open pull requests: left out of a new plan. */
  filesInOpenPullRequests(repository: RepositoryRef): Promise<readonly string[]>;
}
