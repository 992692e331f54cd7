import type { FileDiff } from '../../git/diff.ts';
import type { Commit } from '../../git/objects.ts';
import type { PullRequest } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Page } from '../page.ts';
import { checkDetails } from '../parts/check-details.ts';
import { checksOf } from '../parts/check-list.ts';
import { commitList } from '../parts/commit-list.ts';
import { composeBox } from '../parts/compose.ts';
import { diffStat, diffView } from '../parts/diff-view.ts';
import { icon } from '../parts/icon.ts';
import type { IconName } from '../parts/icon.ts';
import { labelPicker } from '../parts/label-picker.ts';
import { mergeBox } from '../parts/merge-box.ts';
import type { MergeFacts } from '../parts/merge-box.ts';
import { participants } from '../parts/participants.ts';
import { personName } from '../parts/person.ts';
import { reviewForm } from '../parts/review-form.ts';
import { stateBadge } from '../parts/state-badge.ts';
import { timeline } from '../parts/timeline.ts';
import type { RepositoryView } from '../view.ts';

/** What git knows about a pull request, read for one page. */
export interface PullFacts extends MergeFacts {
  readonly commits: readonly Commit[];
  readonly files: readonly FileDiff[];
}

export type PullTab = 'conversation' | 'commits' | 'files' | 'checks';

export function pullPage(
  view: RepositoryView,
  request: PullRequest,
  { tab, facts }: { tab: PullTab; facts: PullFacts },
): Page {
  const { title, number } = request;
  return {
    title: `${title} · Pull request #${number} · ${view.repository.fullName}`,
    tab: 'pulls',
    content: html`${header(view, request, facts)}${pullTabs(view, request, { tab, facts })}${tabContent(view, request, { tab, facts })}`,
  };
}

function header(_: RepositoryView, request: PullRequest, { commits }: PullFacts): Html {
  const { title, number, author, pull } = request;
  const count = `${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}`;
  const story =
    pull.mergedAt === null || pull.mergedBy === null
      ? html`${personName(author)} wants to merge ${count}`
      : html`${personName(pull.mergedBy)} merged ${count}`;
  return html`<div class="subject bare" id="subject" data-live>
    <h1>${title} <span class="muted">#${number}</span></h1>
    <div class="row">
      ${stateBadge(request)}<span class="muted"
        >${story} into <span class="branch">${pull.base.ref}</span> from
        <span class="branch">${pull.head.ref}</span></span
      >
    </div>
  </div>`;
}

interface TabContent {
  readonly tab: PullTab;
  readonly facts: PullFacts;
}

function pullTabs({ repository }: RepositoryView, request: PullRequest, { tab, facts }: TabContent): Html {
  const path = `/${repository.fullName}/pull/${request.number}`;
  const checks = checksOf(repository, request.pull.head.sha).length;
  const link = (key: PullTab, [text, symbol]: readonly [string, IconName], count: number) => {
    const href = key === 'conversation' ? path : `${path}/${key}`;
    return html`<a href="${href}" ${tab === key && html`aria-current="page"`}
      >${icon(symbol)}${text} <span class="count">${count}</span></a
    >`;
  };
  const total = {
    additions: facts.files.reduce((sum, file) => sum + file.additions, 0),
    deletions: facts.files.reduce((sum, file) => sum + file.deletions, 0),
  };
  return html`<nav class="tabs inner" id="pull-tabs" aria-label="Pull request" data-live>
    ${link('conversation', ['Conversation', 'comment'], request.comments.length)}
    ${link('commits', ['Commits', 'commit'], facts.commits.length)}
    ${link('checks', ['Checks', 'issue-closed'], checks)}
    ${link('files', ['Files changed', 'file'], facts.files.length)}
    <span class="grow"></span><span class="small stat">${diffStat(total)}</span>
  </nav>`;
}

function tabContent(view: RepositoryView, request: PullRequest, { tab, facts }: TabContent): Content {
  switch (tab) {
    case 'conversation':
      return html`<div class="columns">
        <div>
          <div id="timeline" data-live>${timeline(view, request, facts.commits)}</div>
          ${mergeBox(view, request, facts)}${composeBox(view, request)}
        </div>
        <aside class="side">
          <section id="labels" data-live>${labelPicker(view, request)}</section>
          ${participants(request)}
        </aside>
      </div>`;
    case 'commits':
      return html`<div id="commits" data-live>${commitList(view, facts.commits)}</div>`;
    case 'files':
      return html`${reviewForm(view, request)} ${diffView(facts.files)}`;
    case 'checks':
      return html`<div id="checks" data-live>${checkDetails(view, request)}</div>`;
  }
}
