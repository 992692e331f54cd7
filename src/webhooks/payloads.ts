import { z } from 'zod';

/** Only the fields that are used, so that what GitHub adds or older servers lack does not matter. */
const login = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]*(?:\[bot\])?$/);

const account = z.object({ login, type: z.string() });

const repository = z.object({
  // Names a folder of backups, too, so never `.` or `..`.
  name: z.string().regex(/^(?!\.{1,2}$)[\w.-]+$/),
  owner: z.object({ login }),
  clone_url: z.string(),
  default_branch: z.string().min(1),
  private: z.boolean(),
});

const common = { repository, sender: account, installation: z.object({ id: z.int().positive() }) };

const issue = z.object({
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  /** Present when the issue is a pull request: the two share numbers and comments. */
  pull_request: z.looseObject({}).nullish(),
});

export const issueLabeled = z.object({ ...common, issue, label: z.object({ name: z.string() }) });

export const commentCreated = z.object({
  ...common,
  issue,
  comment: z.object({ id: z.int().positive(), body: z.string(), user: account }),
});

export const pullRequestClosed = z.object({
  ...common,
  pull_request: z.object({
    number: z.int().positive(),
    merged: z.boolean(),
    merge_commit_sha: z.string().nullish(),
    head: z.object({
      ref: z.string(),
      /** Null when the fork it came from was deleted. */
      repo: z.object({ full_name: z.string() }).nullable(),
    }),
  }),
});

export type IssueLabeled = z.infer<typeof issueLabeled>;
export type CommentCreated = z.infer<typeof commentCreated>;
export type PullRequestClosed = z.infer<typeof pullRequestClosed>;
export type Sender = z.infer<typeof account>;
export type CommonPayload = Pick<IssueLabeled, keyof typeof common>;

export function isPullRequest(issue: IssueLabeled['issue']): boolean {
  return (issue.pull_request ?? null) !== null;
}
