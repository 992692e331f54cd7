import type { Issue } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Page } from '../page.ts';
import { checkMark } from '../parts/check-list.ts';
import { icon } from '../parts/icon.ts';
import { labelBadge } from '../parts/label.ts';
import { stateIcon } from '../parts/state-badge.ts';
import { ago } from '../parts/time.ts';
import type { RepositoryView } from '../view.ts';

/** `/issues` and `/pulls`, open ones unless the query says `state=closed`. */
export function issueListPage(view: RepositoryView, kind: 'issues' | 'pulls'): Page {
  const { repository, url } = view;
  const state = url.searchParams.get('state') === 'closed' ? 'closed' : 'open';
  const all = [...repository.issues.values()].filter((issue) => (issue.pull === null) === (kind === 'issues'));
  const shown = all.filter((issue) => issue.state === state).toReversed();
  const path = `/${repository.fullName}/${kind}`;
  const filter = (name: 'open' | 'closed', text: string) => {
    const count = all.filter((issue) => issue.state === name).length;
    return html`<a href="${path}?state=${name}" ${state === name ? html`aria-current="true"` : html`class="off"`}
      >${text} <span class="count">${count}</span></a
    >`;
  };
  const noun = kind === 'issues' ? 'issues' : 'pull requests';
  return {
    title: `${kind === 'issues' ? 'Issues' : 'Pull requests'} · ${repository.fullName}`,
    tab: kind,
    content: html`<div class="row spread lead">
        <h1 class="heading">${kind === 'issues' ? 'Issues' : 'Pull requests'}</h1>
        ${kind === 'issues' && html`<a class="button primary" href="${path}/new">New issue</a>`}
      </div>
      <div class="box" id="list" data-live>
        <div class="head">${filter('open', 'Open')} ${filter('closed', 'Closed')}</div>
        ${shown.length === 0 ? html`<p class="blank">There are no ${state} ${noun}.</p>` : shown.map((issue) => row(view, issue))}
      </div>`,
  };
}

function row({ site, repository }: RepositoryView, issue: Issue): Html {
  const { number, title, labels, author, comments, createdAt, pull } = issue;
  const path = `/${repository.fullName}/${pull === null ? 'issues' : 'pull'}/${number}`;
  return html`<div class="item">
    ${stateIcon(issue)}
    <div class="grow">
      <a class="title" href="${path}">${title}</a> ${pull !== null && checkMark(repository, pull.head.sha)}
      ${labels.map((label) => html`${labelBadge(label)} `)}
      <div class="small muted">
        #${number} opened ${ago(site.now(), createdAt)} by ${author.login.replace(/\[bot\]$/u, '')}
      </div>
    </div>
    ${comments.length > 0 && html`<a class="muted small row" href="${path}" title="Comments">${icon('comment')}${comments.length}</a>`}
  </div>`;
}
