import { authorAssociation } from './author-association.ts';
import { issuePageUrl, labelView } from './issue-view.ts';
import { repositoryUrl, repositoryView } from './repository-view.ts';
import { nodeId, timestamp } from './schema.ts';
import { userView } from './user-view.ts';
import type { RepositoryView } from './repository-view.ts';
import type { Schema } from './schema.ts';
import { diffFiles } from '../git/diff.ts';
import { commitsBetween, mergeBase } from '../git/refs.ts';
import type { PullRequest, Repository } from '../state/records.ts';
import type { Site } from '../state/site.ts';

type Side = { label: string; ref: string; sha: string; user: Schema<'simple-user'>; repo: RepositoryView };
export type PullSimpleView = Omit<Schema<'pull-request-simple'>, 'head' | 'base' | 'user' | 'state'> & {
  user: Schema<'simple-user'>;
  state: 'open' | 'closed';
  head: Side;
  base: Side;
};
export type PullView = Schema<'pull-request'>;

/** What lists of pull requests and payloads about reviews show. */
export function pullSimpleView(site: Site, repository: Repository, request: PullRequest): PullSimpleView {
  const { pull } = request;
  const api = repositoryUrl(site, repository);
  const url = `${api}/pulls/${request.number}`;
  const page = issuePageUrl(site, repository, request);
  return {
    ...pullUrls({ url, page, issue: `${api}/issues/${request.number}`, statuses: `${api}/statuses/${pull.head.sha}` }),
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    number: request.number,
    state: request.state,
    locked: false,
    active_lock_reason: null,
    title: request.title,
    body: request.body,
    user: userView(site, request.author),
    author_association: authorAssociation(repository, request.author),
    // This one shape of GitHub's has no null here.
    labels: request.labels.map((label) => ({
      ...labelView(site, repository, label),
      description: label.description ?? '',
    })),
    milestone: null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    draft: pull.draft,
    auto_merge: null,
    created_at: timestamp(request.createdAt),
    updated_at: timestamp(request.updatedAt),
    closed_at: request.closedAt && timestamp(request.closedAt),
    merged_at: pull.mergedAt && timestamp(pull.mergedAt),
    merge_commit_sha: pull.mergeCommitSha,
    head: sideView(site, repository, pull.head),
    base: sideView(site, repository, pull.base),
  };
}

/** `mergeable` is null as long as GitHub has not worked it out. */
export async function pullView(
  site: Site,
  repository: Repository,
  { request, mergeable }: { readonly request: PullRequest; readonly mergeable: boolean | null },
): Promise<PullView> {
  const { pull } = request;
  const { excluded, head } = await pullRange(repository, request);
  const [commits, files] = await Promise.all([
    commitsBetween(repository.directory, excluded, head),
    diffFiles(repository.directory, excluded, head),
  ]);
  return {
    ...pullSimpleView(site, repository, request),
    labels: request.labels.map((label) => labelView(site, repository, label)),
    requested_teams: [],
    merged: pull.mergedAt !== null,
    merged_by: pull.mergedBy && userView(site, pull.mergedBy),
    mergeable,
    rebaseable: mergeable,
    mergeable_state: mergeableState(repository, request, mergeable),
    comments: request.comments.length,
    review_comments: pull.reviewComments.length,
    maintainer_can_modify: false,
    commits: commits.length,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
  };
}

/** The commits of a pull request: those of its head since it left the base branch. */
export async function pullRange(
  repository: Repository,
  { pull }: PullRequest,
): Promise<{ excluded: string; head: string }> {
  const excluded = await mergeBase(repository.directory, pull.base.sha, pull.head.sha);
  return { excluded: excluded ?? pull.base.sha, head: pull.head.sha };
}

function mergeableState(repository: Repository, { pull, state }: PullRequest, mergeable: boolean | null): string {
  if (state === 'closed' || mergeable === null) return 'unknown';
  if (!mergeable) return 'dirty';
  if (pull.draft) return 'draft';
  const runs = [...repository.checkRuns.values()].filter((run) => run.headSha === pull.head.sha);
  const passed = runs.every((run) => ['success', 'neutral', 'skipped'].includes(run.conclusion ?? ''));
  return passed ? 'clean' : 'unstable';
}

function sideView(
  site: Site,
  repository: Repository,
  { ref, sha }: { readonly ref: string; readonly sha: string },
): Side {
  const user = userView(site, repository.owner);
  return { label: `${repository.owner.login}:${ref}`, ref, sha, user, repo: repositoryView(site, repository) };
}

interface PullAddresses {
  readonly url: string;
  readonly page: string;
  readonly issue: string;
  readonly statuses: string;
}

function pullUrls({ url, page, issue, statuses }: PullAddresses) {
  const reviewComment = `${url.slice(0, url.lastIndexOf('/'))}/comments{/number}`;
  return {
    url,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issue,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: reviewComment,
    comments_url: `${issue}/comments`,
    statuses_url: statuses,
    _links: {
      self: { href: url },
      html: { href: page },
      issue: { href: issue },
      comments: { href: `${issue}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: reviewComment },
      commits: { href: `${url}/commits` },
      statuses: { href: statuses },
    },
  };
}
