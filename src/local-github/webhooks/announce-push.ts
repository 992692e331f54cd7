import { announce } from './announce.ts';
import type { Occasion } from './announce.ts';
import { repositoryPageUrl } from '../views/repository-view.ts';
import { timestamp } from '../views/schema.ts';
import { readCommits } from '../git/objects.ts';
import type { Commit, Person } from '../git/objects.ts';
import { commitsBetween, isAncestor, zeroSha } from '../git/refs.ts';
import type { RefChange } from '../git/refs.ts';
import { gitLines } from '../git/run-git.ts';
import { userOfEmail } from '../state/accounts.ts';
import type { Site } from '../state/site.ts';

/** GitHub's limit for one payload. */
const mostCommits = 2048;

/** `push`, with `create` or `delete` before it where a branch or tag came or went. */
export async function announceRefChange(site: Site, occasion: Occasion, change: RefChange): Promise<void> {
  const created = change.before === zeroSha;
  const deleted = change.after === zeroSha;
  if (created || deleted) announceCreateOrDelete(site, occasion, change);
  const { repository, sender } = occasion;
  const commits = deleted ? [] : await newCommits(site, occasion, change);
  const page = repositoryPageUrl(site, repository);
  const body = {
    ref: change.name,
    before: change.before,
    after: change.after,
    base_ref: null,
    created,
    deleted,
    forced: !created && !deleted && !(await isAncestor(repository.directory, change.before, change.after)),
    compare:
      created || deleted ? `${page}/commit/${change.after}` : `${page}/compare/${change.before}...${change.after}`,
    commits,
    head_commit: deleted ? null : (commits.at(-1) ?? (await headCommit(site, occasion, change.after))),
    pusher: { name: sender.login, email: null },
  };
  announce(site, occasion, { event: 'push', action: null, body });
}

function announceCreateOrDelete(site: Site, occasion: Occasion, change: RefChange): void {
  const [, refType = 'heads', name = ''] = /^refs\/(heads|tags)\/(.*)$/s.exec(change.name) ?? [];
  const body = { ref: name, ref_type: refType === 'tags' ? 'tag' : 'branch', pusher_type: 'user' };
  if (change.after === zeroSha) {
    announce(site, occasion, { event: 'delete', action: null, body });
    return;
  }
  const extra = { master_branch: occasion.repository.defaultBranch, description: null };
  announce(site, occasion, { event: 'create', action: null, body: { ...body, ...extra } });
}

async function newCommits(site: Site, { repository }: Occasion, change: RefChange) {
  const { directory, defaultBranch } = repository;
  // A new branch brings what the default branch lacks.
  const start = change.before === zeroSha ? await startOfNewRef(directory, defaultBranch, change) : change.before;
  const shas = await commitsBetween(directory, start, change.after);
  const newest = shas.slice(0, mostCommits).toReversed();
  return pushCommits(site, { repository, commits: await readCommits(directory, newest) });
}

async function startOfNewRef(directory: string, defaultBranch: string, change: RefChange): Promise<string | null> {
  const branch = `refs/heads/${defaultBranch}`;
  if (change.name === branch) return null;
  const [sha] = await gitLines(directory, ['for-each-ref', '--format=%(objectname)', branch]);
  return sha ?? null;
}

async function headCommit(site: Site, { repository }: Occasion, sha: string) {
  const [commit] = await pushCommits(site, { repository, commits: await readCommits(repository.directory, [sha]) });
  return commit ?? null;
}

interface CommitsOfRepository extends Pick<Occasion, 'repository'> {
  readonly commits: readonly Commit[];
}

async function pushCommits(site: Site, { repository, commits }: CommitsOfRepository) {
  const files = await changedFiles(
    repository.directory,
    commits.map((commit) => commit.sha),
  );
  const page = repositoryPageUrl(site, repository);
  const person = ({ name, email }: Person) => {
    const username = userOfEmail(site, email)?.login;
    return { name, email, ...(username !== undefined && { username }) };
  };
  return commits.map((commit) => ({
    id: commit.sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: timestamp(commit.committer.date),
    url: `${page}/commit/${commit.sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
    ...(files.get(commit.sha) ?? { added: [], removed: [], modified: [] }),
  }));
}

interface FileNames {
  readonly added: string[];
  readonly removed: string[];
  readonly modified: string[];
}

/** The paths each commit touches, from one git process. */
async function changedFiles(directory: string, shas: readonly string[]): Promise<Map<string, FileNames>> {
  const files = new Map<string, FileNames>();
  if (shas.length === 0) return files;
  const log = [
    '-c',
    'core.quotePath=false',
    'log',
    '--no-walk=unsorted',
    '--stdin',
    '--format=commit %H',
    '--name-status',
    '--no-renames',
  ];
  let current: FileNames | undefined;
  for (const line of await gitLines(directory, log, { input: `${shas.join('\n')}\n` })) {
    const sha = /^commit (\w+)$/.exec(line)?.[1];
    if (sha !== undefined) {
      current = { added: [], removed: [], modified: [] };
      files.set(sha, current);
      continue;
    }
    const [letter, name] = line.split('\t');
    if (name === undefined) continue;
    if (letter === 'A') current?.added.push(name);
    else if (letter === 'D') current?.removed.push(name);
    else current?.modified.push(name);
  }
  return files;
}
