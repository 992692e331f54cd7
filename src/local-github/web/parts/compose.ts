import type { Issue } from '../../state/records.ts';
import { isAtLeast, roleOf } from '../../state/roles.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { RepositoryView } from '../view.ts';
import { avatar } from './person.ts';

/** The form at the end of a conversation; its second button also closes or reopens. */
export function composeBox(view: RepositoryView, issue: Issue): Html {
  const { repository, viewer } = view;
  const mayClose = isAtLeast(roleOf(repository, viewer), 'triage') || issue.author === viewer;
  return html`<form
    class="entry compose"
    method="post"
    action="/${repository.fullName}/issues/${issue.number}/comments"
  >
    ${avatar(viewer, 'large')}
    <div>
      <textarea
        name="body"
        aria-label="Add a comment"
        placeholder="Add a comment. Markdown works; so do commands such as /refactor help"
      ></textarea>
      <div class="buttons" id="compose-buttons" data-live>
        ${mayClose && stateButton(issue)}<button class="primary">Comment</button>
      </div>
    </div>
  </form>`;
}

function stateButton({ state, pull }: Issue): Html | null {
  const kind = pull === null ? 'issue' : 'pull request';
  if (state === 'open') return html`<button name="state" value="closed">Close ${kind}</button>`;
  return pull?.mergedAt ? null : html`<button name="state" value="open">Reopen ${kind}</button>`;
}
