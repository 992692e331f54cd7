import { deleteRef } from '../../actions/change-refs.ts';
import { mergePullRequest } from '../../actions/merge-pull-request.ts';
import type { MergeMethod } from '../../actions/merge-pull-request.ts';
import { requestCheckAction, rerequestCheckRun } from '../../actions/report-check.ts';
import { createReview } from '../../actions/review.ts';
import { findCheckRun, findPullRequest, pullRequestsOf } from '../../state/find-records.ts';
import type { CheckRun, Repository, Review } from '../../state/records.ts';
import { refusal } from '../../state/refusal.ts';
import { issuePath, text } from './issue-forms.ts';
import type { RepositoryForm } from './repository-form.ts';

/** The form says which head it showed, so that nobody merges what they have not seen. */
export async function merge({ view, fields, id }: RepositoryForm): Promise<string> {
  const { site, actor, repository } = view;
  const request = findPullRequest(repository, id);
  const method = fields.get('method') ?? 'merge';
  if (!isMergeMethod(method)) throw refusal(422, 'There is no such way to merge');
  await mergePullRequest(site, actor, { repository, request, method, expectedHead: fields.get('sha') ?? undefined });
  return issuePath(repository, request);
}

export async function deleteHeadBranch({ view, id }: RepositoryForm): Promise<string> {
  const { site, actor, repository } = view;
  const request = findPullRequest(repository, id);
  await deleteRef(site, actor, { repository, name: `refs/heads/${request.pull.head.ref}` });
  return issuePath(repository, request);
}

const verdicts: Readonly<Record<string, Review['state']>> = {
  COMMENT: 'COMMENTED',
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
};

export async function submitReview({ view, fields, id }: RepositoryForm): Promise<string> {
  const { site, actor, repository } = view;
  const pull = findPullRequest(repository, id);
  const state = verdicts[fields.get('event') ?? ''];
  if (!state) throw refusal(422, 'There is no such verdict');
  const review = await createReview(site, actor, { repository, pull, state, body: text(fields, 'body') });
  return `${issuePath(repository, pull)}#pullrequestreview-${review.id}`;
}

export function rerunCheck({ view, id }: RepositoryForm): string {
  const { site, actor, repository } = view;
  const run = findCheckRun(repository, id);
  rerequestCheckRun(site, actor, { repository, run });
  return checkPath(repository, run);
}

export function pressCheckAction({ view, fields, id }: RepositoryForm): string {
  const { site, actor, repository } = view;
  const run = findCheckRun(repository, id);
  requestCheckAction(site, actor, { repository, run, identifier: fields.get('identifier') ?? '' });
  return checkPath(repository, run);
}

/** Back to the pull request whose head was checked, else to the commit. */
function checkPath(repository: Repository, { id, headSha }: CheckRun): string {
  const request = pullRequestsOf(repository).findLast(({ pull }) => pull.head.sha === headSha);
  if (!request) return `/${repository.fullName}/commit/${headSha}`;
  return `${issuePath(repository, request)}/checks#check-${id}`;
}

function isMergeMethod(text: string): text is MergeMethod {
  return text === 'merge' || text === 'squash' || text === 'rebase';
}
