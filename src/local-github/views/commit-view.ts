import { repositoryPageUrl, repositoryUrl } from './repository-view.ts';
import { nodeId, timestamp } from './schema.ts';
import { userView } from './user-view.ts';
import type { Schema } from './schema.ts';
import type { FileDiff } from '../git/diff.ts';
import type { Commit, Person } from '../git/objects.ts';
import { userOfEmail } from '../state/accounts.ts';
import type { Repository } from '../state/records.ts';
import type { Site } from '../state/site.ts';

const unsigned = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };

/** A commit as `repos/*` and `pulls/*` show it: git's facts inside, accounts and parents around them. */
export function commitView(site: Site, repository: Repository, commit: Commit): Schema<'commit'> {
  const api = repositoryUrl(site, repository);
  const page = repositoryPageUrl(site, repository);
  const url = `${api}/commits/${commit.sha}`;
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', commit.sha),
    url,
    html_url: `${page}/commit/${commit.sha}`,
    comments_url: `${url}/comments`,
    commit: {
      url: `${api}/git/commits/${commit.sha}`,
      author: personView(commit.author),
      committer: personView(commit.committer),
      message: commit.message,
      comment_count: 0,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      verification: unsigned,
    },
    author: accountView(site, commit.author),
    committer: accountView(site, commit.committer),
    parents: parentViews(commit, `${api}/commits`, page),
  };
}

/** The commit as the git data API shows it. */
export function gitCommitView(site: Site, repository: Repository, commit: Commit): Schema<'git-commit'> {
  const api = repositoryUrl(site, repository);
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', commit.sha),
    url: `${api}/git/commits/${commit.sha}`,
    html_url: `${repositoryPageUrl(site, repository)}/commit/${commit.sha}`,
    author: personView(commit.author),
    committer: personView(commit.committer),
    message: commit.message,
    tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
    parents: parentViews(commit, `${api}/git/commits`, repositoryPageUrl(site, repository)),
    verification: unsigned,
  };
}

interface FileOfCommit {
  readonly file: FileDiff;
  /** The commit that has the file. */
  readonly ref: string;
}

export function fileView(site: Site, repository: Repository, { file, ref }: FileOfCommit): Schema<'diff-entry'> {
  const page = repositoryPageUrl(site, repository);
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  return {
    sha: file.sha,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${page}/blob/${ref}/${path}`,
    raw_url: `${page}/raw/${ref}/${path}`,
    contents_url: `${repositoryUrl(site, repository)}/contents/${path}?ref=${ref}`,
    ...(file.patch !== null && { patch: file.patch }),
    ...(file.previousPath !== null && { previous_filename: file.previousPath }),
  };
}

function personView({ name, email, date }: Person): { name: string; email: string; date: string } {
  return { name, email, date: timestamp(date) };
}

function accountView(site: Site, person: Person): Schema<'simple-user'> | null {
  const user = userOfEmail(site, person.email);
  return user ? userView(site, user) : null;
}

function parentViews({ parents }: Commit, api: string, page: string) {
  return parents.map((sha) => ({ sha, url: `${api}/${sha}`, html_url: `${page}/commit/${sha}` }));
}
