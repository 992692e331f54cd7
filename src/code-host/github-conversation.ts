import type { ProbotOctokit } from 'probot';

import type { RepositoryRef } from '../domain/repository.ts';
import { STATE_LABELS } from '../domain/state-labels.ts';
import type { CommentTarget, Conversation } from './conversation.ts';
import { cutBody } from './cut-body.ts';
import type { Coordinates, HostCaller } from './host-caller.ts';
import { orNull, orNullWhenSo } from './map-errors.ts';

const WRITES = 'issues: write';

/** `appId` tells the app's own comments from those of people, who can copy a marker. */
export function createGithubConversation(call: HostCaller, appId: number): Conversation {
  const putComment = createCommentWriter(call, appId);
  return {
    async getIssue(repository, issueNumber) {
      const doing = { doing: `reading #${issueNumber}`, needs: 'issues: read' };
      const answer = await call(repository, doing, ({ rest }, at) =>
        orNull(rest.issues.get({ ...at, issue_number: issueNumber })),
      );
      if (answer === null) return null;
      const { number, title, body, state, labels, pull_request: pull } = answer.data;
      return {
        number,
        title,
        body: body ?? '',
        open: state === 'open',
        labels: labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))),
        isPullRequest: pull !== undefined,
      };
    },

    putComment,

    async reactToComment(repository, commentId, reaction) {
      const doing = { doing: 'reacting to a comment', needs: WRITES };
      // A comment that was deleted meanwhile needs no reaction.
      await call(repository, doing, ({ rest }, at) =>
        orNull(rest.reactions.createForIssueComment({ ...at, comment_id: commentId, content: reaction })),
      );
    },

    async changeLabels(repository, issueNumber, { remove, add }) {
      const doing = { doing: `changing the labels of #${issueNumber}`, needs: WRITES };
      await call(repository, doing, async (octokit, at) => {
        const issue = { ...at, issue_number: issueNumber };
        for (const name of add) await ensureLabel(octokit, at, name);
        if (add.length > 0) await octokit.rest.issues.addLabels({ ...issue, labels: [...add] });
        for (const name of remove) await orNull(octokit.rest.issues.removeLabel({ ...issue, name }));
      });
    },

    async closeIssue(repository, issueNumber) {
      const doing = { doing: `closing #${issueNumber}`, needs: WRITES };
      await call(repository, doing, ({ rest }, at) =>
        rest.issues.update({ ...at, issue_number: issueNumber, state: 'closed', state_reason: 'completed' }),
      );
    },
  };
}

async function ensureLabel({ rest }: ProbotOctokit, at: Coordinates, name: string): Promise<void> {
  if ((await orNull(rest.issues.getLabel({ ...at, name }))) !== null) return;
  const known = Object.values(STATE_LABELS).find((label) => label.name === name);
  await orNullWhenSo(rest.issues.createLabel({ ...at, ...(known ?? { name }) }));
}

/** Enough for every live run of a large installation; a comment that fell out is found again by its marker. */
const MAX_REMEMBERED = 1000;

function createCommentWriter(call: HostCaller, appId: number): Conversation['putComment'] {
  // A status comment is edited every few seconds; without this each edit would read the whole conversation first.
  const remembered = new Map<string, number>();

  const remember = (key: string, id: number) => {
    remembered.delete(key);
    remembered.set(key, id);
    for (const oldest of remembered.keys()) {
      if (remembered.size <= MAX_REMEMBERED) break;
      remembered.delete(oldest);
    }
  };

  return async (repository, target, text) => {
    const doing = { doing: `writing a comment on #${target.issueNumber}`, needs: WRITES };
    const mark = markOf(target);
    const body = cutBody(`${mark}\n${text}`);
    const key = keyOf(repository, target);
    return call(repository, doing, async (octokit, at) => {
      const { rest } = octokit;
      const update = (id: number) => orNull(rest.issues.updateComment({ ...at, comment_id: id, body }));
      const known = remembered.get(key);
      const edited = known === undefined ? null : await update(known);
      const found = edited === null ? await findComment(octokit, at, { target, mark, appId }) : null;
      const answer =
        edited ??
        (found === null ? null : await update(found)) ??
        (await rest.issues.createComment({ ...at, issue_number: target.issueNumber, body }));
      remember(key, answer.data.id);
      return { id: answer.data.id, url: answer.data.html_url };
    });
  };
}

function markOf({ marker }: CommentTarget): string {
  if (!/^[\w.:[\]-]+$/.test(marker) || marker.includes('--')) throw new TypeError(`Not a marker: ${marker}`);
  return `<!-- refactor-bot:${marker} -->`;
}

function keyOf({ owner, name }: RepositoryRef, { issueNumber, marker }: CommentTarget): string {
  return `${owner}/${name}#${issueNumber} ${marker}`;
}

interface Wanted {
  readonly target: CommentTarget;
  readonly mark: string;
  readonly appId: number;
}

async function findComment(octokit: ProbotOctokit, at: Coordinates, wanted: Wanted): Promise<number | null> {
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
    ...at,
    issue_number: wanted.target.issueNumber,
    per_page: 100,
  });
  for await (const { data } of pages) {
    const own = data.find(
      (comment) =>
        comment.performed_via_github_app?.id === wanted.appId && (comment.body ?? '').startsWith(wanted.mark),
    );
    if (own !== undefined) return own.id;
  }
  return null;
}
