import type { PullRequest } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { RepositoryView } from '../view.ts';

/** The pop-up that submits a review; one's own pull request can only be commented on, as on GitHub. */
export function reviewForm({ repository, viewer }: RepositoryView, request: PullRequest): Html | null {
  if (request.state === 'closed') return null;
  const own = request.author === viewer;
  const verdict = (value: string, text: string, disabled = false) =>
    html`<label class="choice"
      ><input
        type="radio"
        name="event"
        value="${value}"
        ${value === 'COMMENT' && html`checked`}
        ${disabled && html`disabled`}
      />
      ${text}</label
    >`;
  return html`<details class="pop review">
    <summary class="button primary" role="button">Review changes</summary>
    <form class="menu" method="post" action="/${repository.fullName}/pull/${request.number}/reviews">
      <textarea name="body" aria-label="Review summary" placeholder="Leave a comment"></textarea>
      ${verdict('COMMENT', 'Comment')}${verdict('APPROVE', 'Approve', own)}${verdict('REQUEST_CHANGES', 'Request changes', own)}
      <div class="row end"><button class="primary">Submit review</button></div>
    </form>
  </details>`;
}
