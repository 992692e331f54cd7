import { authoriseOwnOr } from './authorise.ts';
import { keepHead } from './record-ref-changes.ts';
import { closeIssue, editText, reopenIssue } from './update-issue.ts';
import { branchSha } from '../git/refs.ts';
import type { PullRequest, Repository } from '../state/records.ts';
import { validationFailed } from '../state/refusal.ts';
import type { Actor, Site } from '../state/site.ts';

interface PullRequestUpdate {
  readonly repository: Repository;
  readonly request: PullRequest;
  readonly title?: string | undefined;
  readonly body?: string | null | undefined;
  readonly state?: 'open' | 'closed' | undefined;
  readonly base?: string | undefined;
}

export async function updatePullRequest(site: Site, actor: Actor, update: PullRequestUpdate): Promise<PullRequest> {
  const { repository, request, title, body, state, base } = update;
  const { user } = authoriseOwnOr(actor, repository, { author: request.author, access: 'change pull request' });
  const occasion = { repository, sender: user };
  await editText(site, occasion, { issue: request, title, body });
  if (base !== undefined) await changeBase(repository, request, base);
  if (state === 'closed') await closeIssue(site, occasion, { issue: request, reason: null });
  if (state === 'open') {
    await checkReopenable(repository, request);
    await reopenIssue(site, occasion, request);
  }
  return request;
}

async function changeBase(repository: Repository, { pull }: PullRequest, base: string): Promise<void> {
  const sha = await branchSha(repository.directory, base);
  if (sha === null) throw validationFailed({ resource: 'PullRequest', field: 'base', code: 'invalid' });
  Object.assign(pull.base, { ref: base, sha });
  pull.mergeability = { state: 'unknown' };
}

async function checkReopenable(repository: Repository, request: PullRequest): Promise<void> {
  if (request.state === 'open') return;
  const { head, mergedAt } = request.pull;
  const tip = await branchSha(repository.directory, head.ref);
  if (mergedAt !== null || tip === null) {
    const why = mergedAt === null ? `The ${head.ref} branch was deleted` : 'The pull request was merged';
    throw validationFailed({
      resource: 'PullRequest',
      field: 'state',
      code: 'invalid',
      message: `state cannot be changed. ${why}.`,
    });
  }
  head.sha = tip;
  request.pull.mergeability = { state: 'unknown' };
  await keepHead(repository, request);
}
