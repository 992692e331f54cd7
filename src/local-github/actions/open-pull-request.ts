import { authorise } from './authorise.ts';
import { checkBody, checkTitle } from './check-text.ts';
import { numberIssue } from './create-issue.ts';
import { keepHead } from './record-ref-changes.ts';
import { branchSha, countCommits, mergeBase } from '../git/refs.ts';
import { isPullRequest, pullRequestsOf } from '../state/find-records.ts';
import type { Pull, PullRequest, Repository } from '../state/records.ts';
import { validationFailed } from '../state/refusal.ts';
import type { Refusal } from '../state/refusal.ts';
import type { Actor, Site } from '../state/site.ts';
import { announcePullRequest } from '../webhooks/announce.ts';

interface NewPullRequest {
  readonly repository: Repository;
  readonly title: string;
  readonly body?: string | null | undefined;
  /** A branch of this repository, as `branch` or `owner:branch`. */
  readonly head: string;
  readonly base: string;
  readonly draft?: boolean | undefined;
}

export async function openPullRequest(site: Site, actor: Actor, input: NewPullRequest): Promise<PullRequest> {
  const { repository, title, base, draft = false } = input;
  const author = authorise(actor, repository, 'open pull request');
  checkTitle('PullRequest', title);
  checkBody('PullRequest', input.body);
  const owner = `${repository.owner.login}:`;
  const headRef = input.head.startsWith(owner) ? input.head.slice(owner.length) : input.head;
  const shas = await checkBranches(repository, headRef, base);
  const pull: Pull = {
    id: site.nextId(),
    head: { ref: headRef, sha: shas.head },
    base: { ref: base, sha: shas.base },
    draft,
    mergedAt: null,
    mergedBy: null,
    mergeCommitSha: null,
    mergeability: { state: 'unknown' },
    reviews: [],
    reviewComments: [],
  };
  const request = numberIssue(site, author, { repository, title, body: input.body ?? null, pull });
  if (!isPullRequest(request)) throw new Error(`Issue ${request.number} lost its pull request`);
  await keepHead(repository, request);
  await announcePullRequest(site, { repository, sender: author.user }, { request, action: 'opened' });
  return request;
}

async function checkBranches(
  repository: Repository,
  head: string,
  base: string,
): Promise<{ head: string; base: string }> {
  const { directory, owner } = repository;
  const [headSha, baseSha] = [await branchSha(directory, head), await branchSha(directory, base)];
  if (headSha === null) throw validationFailed({ resource: 'PullRequest', field: 'head', code: 'invalid' });
  if (baseSha === null) throw validationFailed({ resource: 'PullRequest', field: 'base', code: 'invalid' });
  if (
    pullRequestsOf(repository).some(
      (other) => other.state === 'open' && other.pull.head.ref === head && other.pull.base.ref === base,
    )
  ) {
    throw refused(`A pull request already exists for ${owner.login}:${head}.`);
  }
  if ((await mergeBase(directory, baseSha, headSha)) === null) {
    throw refused(`The ${head} branch has no history in common with ${base}`);
  }
  if ((await countCommits(directory, baseSha, headSha)) === 0) throw refused(`No commits between ${base} and ${head}`);
  return { head: headSha, base: baseSha };
}

function refused(message: string): Refusal {
  return validationFailed({ resource: 'PullRequest', code: 'custom', message });
}
