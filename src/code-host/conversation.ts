import type { RepositoryRef } from '../domain/repository.ts';

export interface IssueView {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly open: boolean;
  readonly labels: readonly string[];
  readonly isPullRequest: boolean;
}

export type Reaction = '+1' | '-1' | 'confused' | 'eyes' | 'rocket' | 'hooray';

/** What a comment is written to or found by. `marker` is hidden in the body (an HTML comment) and makes the effect idempotent. */
export interface CommentTarget {
  readonly issueNumber: number;
  readonly marker: string;
}

/** The code host's face for issues and comments. Bodies are cut to the host's limit with a line that says so. */
export interface Conversation {
  /** Null when it does not exist. */
  getIssue(repository: RepositoryRef, issueNumber: number): Promise<IssueView | null>;
  /** Creates the comment with that marker, or replaces its body. Answers its URL. */
  putComment(
    repository: RepositoryRef,
    target: CommentTarget,
    body: string,
  ): Promise<{ readonly id: number; readonly url: string }>;
  /** Reacting twice with the same content is one reaction. */
  reactToComment(repository: RepositoryRef, commentId: number, reaction: Reaction): Promise<void>;
  /** Removes and adds; a label that does not exist is created with the colour the bot uses for it. */
  changeLabels(
    repository: RepositoryRef,
    issueNumber: number,
    change: { readonly remove: readonly string[]; readonly add: readonly string[] },
  ): Promise<void>;
  closeIssue(repository: RepositoryRef, issueNumber: number): Promise<void>;
}
