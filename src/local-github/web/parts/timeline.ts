import type { Issue, Pull, Review, TimelineEntry, User } from '../../state/records.ts';
import type { Commit } from '../../git/objects.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { renderMarkdown } from '../markdown.ts';
import type { RepositoryView } from '../view.ts';
import { commentBox } from './comment-box.ts';
import { commitLine } from './commit-list.ts';
import { diffTable } from './diff-view.ts';
import { icon } from './icon.ts';
import type { IconName } from './icon.ts';
import { labelBadge } from './label.ts';
import { avatar, personName } from './person.ts';
import { ago } from './time.ts';

interface Dated {
  readonly at: Date;
  readonly content: Html;
}

/** Everything that happened on an issue or pull request, oldest first, its first comment included. */
export function timeline(view: RepositoryView, issue: Issue, commits: readonly Commit[] = []): Html {
  const path = `/${view.repository.fullName}/issues`;
  const mergedAt = issue.pull?.mergedAt;
  const first = commentBox(view, issue, {
    id: `issue-${issue.id}`,
    reactionsPath: `${path}/${issue.number}/reactions`,
    verb: 'opened this',
  });
  const comments = issue.comments.map((comment) => ({
    at: comment.createdAt,
    content: commentBox(view, comment, {
      id: `issuecomment-${comment.id}`,
      reactionsPath: `${path}/comments/${comment.id}/reactions`,
    }),
  }));
  const entries = [
    ...commits.map((commit) => ({ at: commit.committer.date, content: commitLine(view, commit) })),
    // A merge closes as well, which goes without saying.
    ...issue.timeline
      .filter((entry) => entry.kind !== 'closed' || !mergedAt || entry.at < mergedAt)
      .map((entry) => ({ at: entry.at, content: timelineEvent(view, entry) })),
    ...comments,
    ...(issue.pull ? reviews(view, issue.pull) : []),
  ];
  // The sort is stable: what happened within one second stays in the order above.
  return html`${first}${entries.toSorted((a, b) => a.at.getTime() - b.at.getTime()).map((entry) => entry.content)}`;
}

function event(
  view: RepositoryView,
  { at, actor }: { at: Date; actor: User },
  parts: readonly [IconName, string, Content],
): Html {
  const [symbol, tone, text] = parts;
  return html`<div class="event">
    <span class="dot ${tone}">${icon(symbol)}</span>${avatar(actor)} ${personName(actor)} ${text}
    <span class="small">${ago(view.site.now(), at)}</span>
  </div>`;
}

function timelineEvent(view: RepositoryView, entry: TimelineEntry): Html {
  switch (entry.kind) {
    case 'labeled':
      return event(view, entry, ['tag', '', html`added the ${labelBadge(entry.label)} label`]);
    case 'unlabeled':
      return event(view, entry, ['tag', '', html`removed the ${labelBadge(entry.label)} label`]);
    case 'renamed':
      return event(view, entry, [
        'pencil',
        '',
        html`changed the title from <s>${entry.from}</s> to <b>${entry.to}</b>`,
      ]);
    case 'closed':
      return event(view, entry, ['cross', 'closed', 'closed this']);
    case 'reopened':
      return event(view, entry, ['issue-open', '', 'reopened this']);
    case 'merged':
      return event(view, entry, ['merged', 'done', html`merged commit ${shaLink(view, entry.sha)}`]);
    case 'pushed':
      return event(view, entry, [
        'commit',
        '',
        html`pushed ${shaLink(view, entry.before)} … ${shaLink(view, entry.after)}`,
      ]);
    case 'branch-deleted':
      return event(view, entry, ['trash', '', html`deleted the <span class="branch">${entry.branch}</span> branch`]);
  }
}

function shaLink({ repository }: RepositoryView, sha: string): Html {
  return html`<a class="mono" href="/${repository.fullName}/commit/${sha}">${sha.slice(0, 7)}</a>`;
}

const verdicts: Record<Review['state'], readonly [IconName, string, string]> = {
  APPROVED: ['check', 'good', 'approved these changes'],
  CHANGES_REQUESTED: ['cross', 'closed', 'requested changes'],
  COMMENTED: ['comment', '', 'reviewed'],
};

function reviews(view: RepositoryView, pull: Pull): Dated[] {
  const submitted = pull.reviews.map((review) => {
    const inline = pull.reviewComments.filter((comment) => comment.reviewId === review.id);
    const content = html`<div id="pullrequestreview-${review.id}">
      ${event(view, { at: review.submittedAt, actor: review.author }, verdicts[review.state])}
      ${
        review.body !== '' &&
        html`<div class="entry">
          <span></span>
          <div class="box comment">
            <div class="body markdown">${renderMarkdown(review.body, view.repository.fullName)}</div>
          </div>
        </div>`
      }
      ${inline.map((comment) => reviewComment(view, comment))}
    </div>`;
    return { at: review.submittedAt, content };
  });
  const loose = pull.reviewComments.filter((comment) => comment.reviewId === null);
  return [...submitted, ...loose.map((comment) => ({ at: comment.createdAt, content: reviewComment(view, comment) }))];
}

function reviewComment(view: RepositoryView, comment: Pull['reviewComments'][number]): Html {
  return html`<div class="entry">
    <span></span>
    <div class="box comment" id="discussion_r${comment.id}">
      <header class="head mono">${comment.path}${comment.line !== null && `:${comment.line}`}</header>
      <div class="scroll">${diffTable(comment.diffHunk.split('\n').slice(-5).join('\n'))}</div>
      <div class="body">
        <p class="row muted">
          ${avatar(comment.author)}<span>${personName(comment.author)} ${ago(view.site.now(), comment.createdAt)}</span>
        </p>
        <div class="markdown">${renderMarkdown(comment.body, view.repository.fullName)}</div>
      </div>
    </div>
  </div>`;
}
