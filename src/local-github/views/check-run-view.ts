import { repositoryPageUrl, repositoryUrl, repositoryView } from './repository-view.ts';
import { nodeId, timestamp } from './schema.ts';
import { appView } from './user-view.ts';
import type { Schema } from './schema.ts';
import { pullRequestsOf } from '../state/find-records.ts';
import type { CheckRun, PullRequest, Repository } from '../state/records.ts';
import type { Site } from '../state/site.ts';

export type CheckRunView = Schema<'check-run'> & {
  id: number;
  app: NonNullable<Schema<'integration'>>;
  details_url: string;
  html_url: string;
  external_id: string;
  started_at: string;
  status: CheckRun['status'];
};

export function checkRunView(site: Site, repository: Repository, run: CheckRun): CheckRunView {
  const url = `${repositoryUrl(site, repository)}/check-runs/${run.id}`;
  const page = `${repositoryPageUrl(site, repository)}/runs/${run.id}`;
  return {
    id: run.id,
    node_id: nodeId('CheckRun', run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: page,
    details_url: run.detailsUrl ?? page,
    name: run.name,
    status: run.status,
    conclusion: run.conclusion,
    started_at: timestamp(run.startedAt),
    completed_at: run.completedAt && timestamp(run.completedAt),
    output: { ...run.output, annotations_count: run.annotations.length, annotations_url: `${url}/annotations` },
    check_suite: { id: run.suite.id },
    app: appView(site),
    pull_requests: openPullRequests(repository, run).map((pull) => pullMinimalView(site, repository, pull)),
  };
}

/** A webhook tells more about the suite than the REST answer does. */
export function checkRunWebhookView(
  site: Site,
  repository: Repository,
  run: CheckRun,
): Schema<'check-run-with-simple-check-suite'> {
  const { suite } = run;
  const view = checkRunView(site, repository, run);
  const { status, conclusion } = suiteOutcome(repository, run);
  return {
    ...view,
    check_suite: {
      id: suite.id,
      node_id: nodeId('CheckSuite', suite.id),
      head_branch: openPullRequests(repository, run)[0]?.pull.head.ref ?? null,
      head_sha: suite.headSha,
      status,
      conclusion,
      url: `${repositoryUrl(site, repository)}/check-suites/${suite.id}`,
      before: null,
      after: suite.headSha,
      pull_requests: view.pull_requests,
      app: view.app,
      repository: repositoryView(site, repository),
      created_at: timestamp(suite.createdAt),
      updated_at: timestamp(site.now()),
    },
  };
}

function suiteOutcome(repository: Repository, run: CheckRun): Pick<CheckRun, 'status' | 'conclusion'> {
  const runs = [...repository.checkRuns.values()].filter((other) => other.suite === run.suite);
  const unfinished = runs.find((other) => other.status !== 'completed');
  if (unfinished) return { status: unfinished.status, conclusion: null };
  const failed = runs.find((other) => !['success', 'neutral', 'skipped'].includes(other.conclusion ?? ''));
  return { status: 'completed', conclusion: failed?.conclusion ?? 'success' };
}

function openPullRequests(repository: Repository, run: CheckRun): PullRequest[] {
  return pullRequestsOf(repository).filter((pull) => pull.state === 'open' && pull.pull.head.sha === run.headSha);
}

function pullMinimalView(site: Site, repository: Repository, request: PullRequest): Schema<'pull-request-minimal'> {
  const { head, base, id } = request.pull;
  const repo = { id: repository.id, url: repositoryUrl(site, repository), name: repository.name };
  return {
    id,
    number: request.number,
    url: `${repo.url}/pulls/${request.number}`,
    head: { ref: head.ref, sha: head.sha, repo },
    base: { ref: base.ref, sha: base.sha, repo },
  };
}
