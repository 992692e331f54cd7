import type { ProbotOctokit } from 'probot';

import { BotError } from '../domain/errors.ts';
import type { RepositoryRef } from '../domain/repository.ts';
import { cutBody } from './cut-body.ts';
import type { Coordinates, HostCaller } from './host-caller.ts';
import { orNull, orNullWhenSo } from './map-errors.ts';
import type { PullRequests, PullRequestView } from './pull-requests.ts';

const READS = 'pull requests: read';
const WRITES = 'pull requests: write';
const MAX_TITLE_CHARACTERS = 256;
/** A repository with more open pull requests than this would cost more requests than the answer is worth. */
const MAX_OPEN_PULL_REQUESTS = 100;

export function createGithubPullRequests(call: HostCaller): PullRequests {
  return {
    async findByHead(repository, headBranch) {
      const doing = { doing: `looking for the pull request of ${headBranch}`, needs: READS };
      return call(repository, doing, (octokit, at) => findByHead(octokit, at, headBranch));
    },

    async get(repository, number) {
      const doing = { doing: `reading pull request #${number}`, needs: READS };
      const answer = await call(repository, doing, ({ rest }, at) =>
        orNull(rest.pulls.get({ ...at, pull_number: number })),
      );
      return answer === null ? null : toView(answer.data);
    },

    async put(repository, pull) {
      const doing = { doing: `opening the pull request of ${pull.head}`, needs: WRITES };
      const content = { title: pull.title.slice(0, MAX_TITLE_CHARACTERS), body: cutBody(pull.body) };
      return call(repository, doing, async (octokit, at) => {
        const { rest } = octokit;
        const there = await findByHead(octokit, at, pull.head);
        if (there !== null) {
          const edited = await rest.pulls.update({ ...at, pull_number: there.number, ...content });
          return toView(edited.data);
        }
        const opened = await orNullWhenSo(rest.pulls.create({ ...at, head: pull.head, base: pull.base, ...content }));
        const view = opened === null ? await findByHead(octokit, at, pull.head) : toView(opened.data);
        if (view === null) throw notOpened(repository, pull.head);
        return view;
      });
    },

    async filesInOpenPullRequests(repository) {
      const doing = { doing: 'listing the files of open pull requests', needs: READS };
      return call(repository, doing, listFiles);
    },
  };
}

async function findByHead(
  { rest }: ProbotOctokit,
  at: Coordinates,
  headBranch: string,
): Promise<PullRequestView | null> {
  const { data } = await rest.pulls.list({
    ...at,
    head: `${at.owner}:${headBranch}`,
    state: 'all',
    sort: 'created',
    direction: 'desc',
    per_page: 10,
  });
  // A filter that the host does not understand is ignored, and answers every pull request.
  const newest = data.find((pull) => pull.head.ref === headBranch);
  return newest === undefined ? null : toView(newest);
}

async function listFiles(octokit: ProbotOctokit, at: Coordinates): Promise<readonly string[]> {
  const { rest } = octokit;
  const open = await rest.pulls.list({ ...at, state: 'open', per_page: MAX_OPEN_PULL_REQUESTS });
  const paths = new Set<string>();
  for (const { number } of open.data) {
    const files = await octokit.paginate(rest.pulls.listFiles, { ...at, pull_number: number, per_page: 100 });
    for (const { filename, previous_filename: before } of files) {
      paths.add(filename);
      if (before !== undefined) paths.add(before);
    }
  }
  return [...paths].toSorted();
}

interface PullData {
  readonly number: number;
  readonly html_url: string;
  readonly state: string;
  readonly merged_at: string | null;
  readonly merge_commit_sha: string | null;
  readonly head: { readonly ref: string; readonly sha: string };
}

function toView(pull: PullData): PullRequestView {
  const merged = pull.merged_at !== null;
  return {
    number: pull.number,
    url: pull.html_url,
    open: pull.state === 'open',
    merged,
    // Of an open pull request it is the commit of a trial merge.
    mergeCommit: merged ? pull.merge_commit_sha : null,
    headBranch: pull.head.ref,
    headCommit: pull.head.sha,
  };
}

function notOpened(repository: RepositoryRef, head: string): BotError {
  return new BotError(
    'host-refused',
    `The code host says that ${head} of ${repository.owner}/${repository.name} has a pull request or cannot have one, and shows none.`,
  );
}
