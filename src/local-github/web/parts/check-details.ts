import type { CheckRun, PullRequest } from '../../state/records.ts';
import { isAtLeast, roleOf } from '../../state/roles.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { renderMarkdown } from '../markdown.ts';
import type { RepositoryView } from '../view.ts';
import { checkIcon, checksOf } from './check-list.ts';

/** Each check of the head commit with its report, annotations and buttons. */
export function checkDetails(view: RepositoryView, { pull }: PullRequest): Html {
  const runs = checksOf(view.repository, pull.head.sha);
  if (runs.length === 0) {
    return html`<div class="box">
      <p class="blank">No checks have run on <span class="mono">${pull.head.sha.slice(0, 7)}</span>.</p>
    </div>`;
  }
  return html`${runs.map((run) => details(view, run))}`;
}

function details(view: RepositoryView, run: CheckRun): Html {
  const { output, annotations } = run;
  const text = [output.summary, output.text].filter((part) => part !== null && part !== '');
  return html`<section class="box check" id="check-${run.id}">
    <header class="head">
      ${checkIcon(run)}<strong>${run.name}</strong><span class="muted grow">${output.title}</span>${detailsLink(run)}
      ${buttons(view, run)}
    </header>
    <div class="body markdown">
      ${text.length === 0 ? html`<p class="muted">No report.</p>` : text.map((part) => renderMarkdown(part ?? '', view.repository.fullName))}
    </div>
    ${annotations.map(
      (note) =>
        html`<div class="item">
          <span class="badge">${note.annotation_level}</span>
          <div class="grow">
            <span class="mono">${note.path}:${note.start_line}</span>
            <div>${note.message}</div>
          </div>
        </div>`,
    )}
  </section>`;
}

/** An app may name any address; only one that a browser opens as a page becomes a link. */
function detailsLink({ detailsUrl }: CheckRun): Html | null {
  if (detailsUrl === null || !/^https?:/u.test(detailsUrl)) return null;
  return html`<a class="small" href="${detailsUrl}" rel="noreferrer">View on the app’s page</a>`;
}

function buttons({ repository, viewer }: RepositoryView, run: CheckRun): Html | null {
  if (!isAtLeast(roleOf(repository, viewer), 'write')) return null;
  const path = `/${repository.fullName}/check-runs/${run.id}`;
  return html`<form class="row" method="post" action="${path}/actions">
      ${run.actions.map(
        (action) =>
          html`<button class="tiny" name="identifier" value="${action.identifier}" title="${action.description}">
            ${action.label}
          </button>`,
      )}
    </form>
    ${run.status === 'completed' && html`<form method="post" action="${path}/rerequest"><button class="tiny" aria-label="Re-run ${run.name}">Re-run</button></form>`}`;
}
