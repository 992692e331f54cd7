import { authorise } from './authorise.ts';
import { lockRefs } from './lock-refs.ts';
import { recordMerge } from './record-merge.ts';
import { recordRefChanges } from './record-ref-changes.ts';
import { personOf } from './write-file.ts';
import { mergeTrees, rebaseCommits } from '../git/merge.ts';
import { readCommits, writeCommit } from '../git/objects.ts';
import type { Person } from '../git/objects.ts';
import { branchSha, commitsBetween, writeRef } from '../git/refs.ts';
import type { PullRequest, Repository, User } from '../state/records.ts';
import { refusal } from '../state/refusal.ts';
import type { Actor, Site } from '../state/site.ts';

export type MergeMethod = 'merge' | 'squash' | 'rebase';

interface MergeInput {
  readonly repository: Repository;
  readonly request: PullRequest;
  readonly method: MergeMethod;
  readonly title?: string | undefined;
  readonly message?: string | undefined;
  /** Refused when the head is at another commit. */
  readonly expectedHead?: string | undefined;
}

/** Merges and returns the commit that the base branch is at then. */
export async function mergePullRequest(site: Site, actor: Actor, input: MergeInput): Promise<string> {
  const { repository, request, expectedHead } = input;
  const { user } = authorise(actor, repository, 'write contents');
  const occasion = { repository, sender: user };
  return lockRefs(repository, async () => {
    const { pull } = request;
    if (request.state === 'closed') throw refusal(405, 'Pull Request is not mergeable');
    if (pull.draft) throw refusal(405, 'Pull Request is still a draft');
    if (expectedHead !== undefined && expectedHead !== pull.head.sha) throw headModified();
    const before = await branchSha(repository.directory, pull.base.ref);
    if (before === null) throw refusal(405, 'Base branch does not exist');
    const after = await writeMerge(input, { base: before, user, date: site.now() });
    const change = { name: `refs/heads/${pull.base.ref}`, before, after };
    if (!(await writeRef(repository.directory, change))) {
      throw refusal(409, 'Base branch was modified. Review and try the merge again.');
    }
    // The difference that the page shows stays that to the base as it was.
    pull.base.sha = before;
    await recordMerge(site, occasion, { request, sha: after });
    await recordRefChanges(site, occasion, [change]);
    return after;
  });
}

interface MergeFacts {
  readonly base: string;
  readonly user: User;
  readonly date: Date;
}

async function writeMerge(input: MergeInput, { base, user, date }: MergeFacts): Promise<string> {
  const { directory } = input.repository;
  const { head } = input.request.pull;
  const committer: Person = { name: 'GitHub', email: 'noreply@github.com', date };
  if (input.method === 'rebase') {
    const tip = await rebaseCommits(directory, { base, head: head.sha, committer });
    if (tip === null) throw refusal(405, "This branch can't be rebased");
    return tip;
  }
  const tree = await mergeTrees(directory, base, head.sha);
  if (tree === null) throw refusal(405, 'Pull Request is not mergeable');
  const isMerge = input.method === 'merge';
  const message = isMerge ? mergeMessage(input) : await squashMessage(input, base);
  const parents = isMerge ? [base, head.sha] : [base];
  const author = personOf(isMerge ? user : input.request.author, date);
  return writeCommit(directory, { tree, parents, message, author, committer });
}

function mergeMessage({ repository, request, title, message }: MergeInput): string {
  const { head } = request.pull;
  const subject = title ?? `Merge pull request #${request.number} from ${repository.owner.login}/${head.ref}`;
  return joinMessage(subject, message ?? request.title);
}

/** One commit lends its own words; several are listed below the pull request's title. */
async function squashMessage({ repository, request, title, message }: MergeInput, base: string): Promise<string> {
  const { directory } = repository;
  const shas = await commitsBetween(directory, base, request.pull.head.sha);
  const commits = await readCommits(directory, shas.toReversed());
  const [only] = commits.length === 1 ? commits : [];
  const [subject = '', ...rest] = only?.message.split('\n') ?? [];
  const body = only ? rest.join('\n').trim() : commits.map((commit) => `* ${commit.message}`).join('\n\n');
  return joinMessage(title ?? `${only ? subject : request.title} (#${request.number})`, message ?? body);
}

function joinMessage(subject: string, body: string): string {
  return body === '' ? `${subject}\n` : `${subject}\n\n${body}\n`;
}

function headModified() {
  return refusal(409, 'Head branch was modified. Review and try the merge again.');
}
