/** Everything the embedded GitHub remembers apart from git objects and refs, which live in bare repositories. */

export type Role = 'none' | 'read' | 'triage' | 'write' | 'maintain' | 'admin';

export interface User {
  readonly id: number;
  /** `<slug>[bot]` for the app's own account. */
  readonly login: string;
  readonly type: 'User' | 'Organization' | 'Bot';
  readonly createdAt: Date;
}

export interface App {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly owner: User;
  readonly bot: User;
  /** PKCS#8 PEM. */
  readonly privateKey: string;
  readonly publicKey: string;
  readonly webhookSecret: string;
  webhookUrl: string | null;
  readonly permissions: Permissions;
  readonly events: readonly string[];
  readonly createdAt: Date;
}

export type Permissions = Readonly<Record<string, 'read' | 'write'>>;

/** The app on one account; every repository made on that account is selected. */
export interface Installation {
  readonly id: number;
  readonly account: User;
  readonly createdAt: Date;
}

export interface Repository {
  readonly id: number;
  readonly owner: User;
  readonly name: string;
  /** `owner/name`. */
  readonly fullName: string;
  readonly private: boolean;
  readonly defaultBranch: string;
  /** Absolute path of the bare repository. */
  readonly directory: string;
  readonly installation: Installation;
  readonly createdAt: Date;
  updatedAt: Date;
  pushedAt: Date;
  /** Lower-case login to role; who is missing has `read` on a public repository and nothing on a private one. */
  readonly roles: Map<string, Role>;
  /** Keyed by lower-case name. */
  readonly labels: Map<string, Label>;
  /** Issues and pull requests by number: GitHub numbers them together. */
  readonly issues: Map<number, Issue>;
  readonly checkRuns: Map<number, CheckRun>;
  readonly checkSuites: Map<string, CheckSuite>;
}

export interface Label {
  readonly id: number;
  name: string;
  /** Six hexadecimal digits, without `#`. */
  color: string;
  description: string | null;
}

export type ReactionContent = '+1' | '-1' | 'laugh' | 'confused' | 'heart' | 'hooray' | 'rocket' | 'eyes';

export interface Reaction {
  readonly id: number;
  readonly user: User;
  readonly content: ReactionContent;
  readonly createdAt: Date;
}

export interface Comment {
  readonly id: number;
  readonly author: User;
  /** Written with an installation token of the app. */
  readonly viaApp: boolean;
  body: string;
  readonly reactions: Reaction[];
  readonly createdAt: Date;
  updatedAt: Date;
}

export interface Issue {
  readonly id: number;
  readonly number: number;
  title: string;
  body: string | null;
  readonly author: User;
  readonly viaApp: boolean;
  state: 'open' | 'closed';
  stateReason: 'completed' | 'not_planned' | 'reopened' | 'duplicate' | null;
  labels: Label[];
  readonly comments: Comment[];
  readonly reactions: Reaction[];
  readonly createdAt: Date;
  updatedAt: Date;
  closedAt: Date | null;
  closedBy: User | null;
  /** What happened between the comments, oldest first; the page shows it. */
  readonly timeline: TimelineEntry[];
  /** Null for a plain issue. */
  readonly pull: Pull | null;
}

export type PullRequest = Issue & { readonly pull: Pull };

export interface Pull {
  /** Differs from the issue's id, as on GitHub. */
  readonly id: number;
  readonly head: { readonly ref: string; sha: string };
  /** `sha` is the base branch's tip when the pull request was opened, last pushed to, or merged. */
  readonly base: { ref: string; sha: string };
  draft: boolean;
  mergedAt: Date | null;
  mergedBy: User | null;
  mergeCommitSha: string | null;
  /** Unknown until somebody asks, then computed behind that first answer, as GitHub does. */
  mergeability: { state: 'unknown' } | { state: 'known'; result: Promise<boolean> };
  readonly reviews: Review[];
  readonly reviewComments: ReviewComment[];
}

export interface Review {
  readonly id: number;
  readonly author: User;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED';
  readonly body: string;
  readonly commitSha: string;
  readonly submittedAt: Date;
}

export interface ReviewComment {
  readonly id: number;
  readonly reviewId: number | null;
  readonly inReplyTo: number | null;
  readonly author: User;
  body: string;
  readonly path: string;
  /** Line in the file of `side`; null on a comment about the whole file. */
  readonly line: number | null;
  readonly startLine: number | null;
  readonly side: 'LEFT' | 'RIGHT';
  readonly commitSha: string;
  readonly diffHunk: string;
  readonly reactions: Reaction[];
  readonly createdAt: Date;
  updatedAt: Date;
}

export type TimelineEntry = { readonly at: Date; readonly actor: User } & (
  | { readonly kind: 'labeled' | 'unlabeled'; readonly label: Label }
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'closed' | 'reopened' }
  | { readonly kind: 'merged'; readonly sha: string }
  | { readonly kind: 'pushed'; readonly before: string; readonly after: string }
  | { readonly kind: 'branch-deleted'; readonly branch: string }
);

export type CheckStatus = 'queued' | 'in_progress' | 'completed';
export type CheckConclusion =
  | 'action_required'
  | 'cancelled'
  | 'failure'
  | 'neutral'
  | 'success'
  | 'skipped'
  | 'timed_out';

/** All check runs of the app on one commit. */
export interface CheckSuite {
  readonly id: number;
  readonly headSha: string;
  readonly createdAt: Date;
}

export interface CheckRun {
  readonly id: number;
  readonly suite: CheckSuite;
  name: string;
  readonly headSha: string;
  externalId: string;
  detailsUrl: string | null;
  status: CheckStatus;
  conclusion: CheckConclusion | null;
  startedAt: Date;
  completedAt: Date | null;
  output: { title: string | null; summary: string | null; text: string | null };
  readonly annotations: CheckAnnotation[];
  actions: CheckAction[];
}

export interface CheckAnnotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly annotation_level: 'notice' | 'warning' | 'failure';
  readonly message: string;
}

/** A button on the check run's page; pressing it sends `check_run.requested_action`. */
export interface CheckAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

/** One attempt to deliver a webhook. A redelivery is a further record with the same `guid`. */
export interface DeliveryRecord {
  /** The number by which the REST API knows this attempt. */
  readonly id: number;
  /** `X-GitHub-Delivery`. */
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly at: Date;
  readonly redelivery: boolean;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly payload: Record<string, unknown> };
  /** `status` is 502 when the receiver could not be reached and 504 when it did not answer within 10 s. */
  readonly response: { readonly status: number; readonly statusText: string; readonly body: string };
  readonly durationMs: number;
}

/** A webhook that has been decided but not yet sent. */
export interface OutgoingWebhook {
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly payload: Record<string, unknown>;
}
