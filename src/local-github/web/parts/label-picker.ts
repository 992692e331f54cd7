import type { Issue } from '../../state/records.ts';
import { isAtLeast, roleOf } from '../../state/roles.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { RepositoryView } from '../view.ts';
import { icon } from './icon.ts';
import { labelBadge } from './label.ts';

/** The labels of an issue and, for those who may, the menu that puts one on or takes it off. */
export function labelPicker({ repository, viewer }: RepositoryView, issue: Issue): Html {
  const names = issue.labels.map((label) => label.name);
  const shown = html`<div class="row">
    ${issue.labels.length === 0 ? html`<span class="muted">None yet</span>` : issue.labels.map(labelBadge)}
  </div>`;
  if (!isAtLeast(roleOf(repository, viewer), 'triage'))
    return html`<h2>Labels</h2>
      ${shown}`;
  const choices = [...repository.labels.values()].map((label) => {
    const on = names.includes(label.name);
    return html`<button
      class="choice"
      name="${on ? 'remove' : 'add'}"
      value="${label.name}"
      aria-pressed="${on ? 'true' : 'false'}"
    >
      <span class="tick">${on && icon('check')}</span>${labelBadge(label)}
    </button>`;
  });
  const action = `/${repository.fullName}/issues/${issue.number}/labels`;
  return html`<details class="pop">
      <summary role="button" class="spread">Labels ${icon('gear')}</summary>
      <div class="menu">
        <form method="post" action="${action}">
          <p>Apply labels to this ${issue.pull === null ? 'issue' : 'pull request'}</p>
          ${choices}
        </form>
        <form class="row new-label" method="post" action="${action}">
          <input
            class="grow"
            type="text"
            name="add"
            aria-label="New label"
            placeholder="New label"
            required
            maxlength="50"
          /><button class="tiny">Add</button>
        </form>
      </div>
    </details>
    ${shown}`;
}
