import type { Issue } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Page } from '../page.ts';
import { composeBox } from '../parts/compose.ts';
import { labelPicker } from '../parts/label-picker.ts';
import { participants } from '../parts/participants.ts';
import { personName } from '../parts/person.ts';
import { stateBadge } from '../parts/state-badge.ts';
import { ago } from '../parts/time.ts';
import { timeline } from '../parts/timeline.ts';
import type { RepositoryView } from '../view.ts';

export function issuePage(view: RepositoryView, issue: Issue): Page {
  const { site, repository } = view;
  const { number, title, author, comments, createdAt } = issue;
  return {
    title: `${title} · Issue #${number} · ${repository.fullName}`,
    tab: 'issues',
    content: html`<div class="subject" id="subject" data-live>
        <h1>${title} <span class="muted">#${number}</span></h1>
        <div class="row">
          ${stateBadge(issue)}<span class="muted"
            >${personName(author)} opened this issue ${ago(site.now(), createdAt)} · ${comments.length}
            ${comments.length === 1 ? 'comment' : 'comments'}</span
          >
        </div>
      </div>
      <div class="columns">
        <div>
          <div id="timeline" data-live>${timeline(view, issue)}</div>
          ${composeBox(view, issue)}
        </div>
        <aside class="side">
          <section id="labels" data-live>${labelPicker(view, issue)}</section>
          ${participants(issue)}
        </aside>
      </div>`,
  };
}
