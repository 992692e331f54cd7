import { nodeId, timestamp } from './schema.ts';
import { userView } from './user-view.ts';
import type { Schema } from './schema.ts';
import type { Repository } from '../state/records.ts';
import type { Site } from '../state/site.ts';

/** One shape that satisfies `repository`, `minimal-repository`, `full-repository` and the webhooks' own variant. */
export type RepositoryView = Omit<Schema<'repository'>, 'license'> &
  Pick<Schema<'full-repository'>, 'subscribers_count' | 'network_count' | 'has_discussions'> & {
    license: null;
    pushed_at: string;
    created_at: string;
    updated_at: string;
    topics: string[];
    visibility: 'public' | 'private';
    custom_properties: Record<string, never>;
  };

export function repositoryUrl(site: Site, repository: Repository): string {
  return `${site.url}/api/v3/repos/${repository.fullName}`;
}

export function repositoryPageUrl(site: Site, repository: Repository): string {
  return `${site.url}/${repository.fullName}`;
}

export function repositoryView(site: Site, repository: Repository): RepositoryView {
  const openIssues = [...repository.issues.values()].filter((issue) => issue.state === 'open').length;
  return {
    ...repositoryUrls(site, repository),
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: repository.fullName,
    owner: userView(site, repository.owner),
    private: repository.private,
    visibility: repository.private ? 'private' : 'public',
    description: null,
    fork: false,
    default_branch: repository.defaultBranch,
    homepage: null,
    language: null,
    license: null,
    mirror_url: null,
    topics: [],
    custom_properties: {},
    size: 0,
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    subscribers_count: 0,
    network_count: 0,
    open_issues: openIssues,
    open_issues_count: openIssues,
    is_template: false,
    has_issues: true,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    archived: false,
    disabled: false,
    allow_forking: true,
    web_commit_signoff_required: false,
    allow_merge_commit: true,
    allow_squash_merge: true,
    allow_rebase_merge: true,
    allow_auto_merge: false,
    delete_branch_on_merge: false,
    pushed_at: timestamp(repository.pushedAt),
    created_at: timestamp(repository.createdAt),
    updated_at: timestamp(repository.updatedAt),
  };
}

type UrlField = Extract<keyof Schema<'repository'>, `${string}_url` | 'url'>;

function repositoryUrls(
  site: Site,
  repository: Repository,
): Pick<Schema<'repository'>, Exclude<UrlField, 'mirror_url'>> {
  const url = repositoryUrl(site, repository);
  const page = repositoryPageUrl(site, repository);
  const { hostname } = new URL(site.url);
  return {
    url,
    html_url: page,
    clone_url: `${page}.git`,
    git_url: `git://${hostname}/${repository.fullName}.git`,
    ssh_url: `git@${hostname}:${repository.fullName}.git`,
    svn_url: page,
    archive_url: `${url}/{archive_format}{/ref}`,
    assignees_url: `${url}/assignees{/user}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    branches_url: `${url}/branches{/branch}`,
    collaborators_url: `${url}/collaborators{/collaborator}`,
    comments_url: `${url}/comments{/number}`,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    contents_url: `${url}/contents/{+path}`,
    contributors_url: `${url}/contributors`,
    deployments_url: `${url}/deployments`,
    downloads_url: `${url}/downloads`,
    events_url: `${url}/events`,
    forks_url: `${url}/forks`,
    git_commits_url: `${url}/git/commits{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    hooks_url: `${url}/hooks`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    issue_events_url: `${url}/issues/events{/number}`,
    issues_url: `${url}/issues{/number}`,
    keys_url: `${url}/keys{/key_id}`,
    labels_url: `${url}/labels{/name}`,
    languages_url: `${url}/languages`,
    merges_url: `${url}/merges`,
    milestones_url: `${url}/milestones{/number}`,
    notifications_url: `${url}/notifications{?since,all,participating}`,
    pulls_url: `${url}/pulls{/number}`,
    releases_url: `${url}/releases{/id}`,
    stargazers_url: `${url}/stargazers`,
    statuses_url: `${url}/statuses/{sha}`,
    subscribers_url: `${url}/subscribers`,
    subscription_url: `${url}/subscription`,
    tags_url: `${url}/tags`,
    teams_url: `${url}/teams`,
    trees_url: `${url}/git/trees{/sha}`,
  };
}
