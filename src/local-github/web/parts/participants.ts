import type { Issue } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { avatar } from './person.ts';

/** Everybody who wrote in the conversation. */
export function participants({ author, comments, pull }: Issue): Html {
  const people = new Set([
    author,
    ...comments.map((comment) => comment.author),
    ...(pull?.reviews ?? []).map((review) => review.author),
  ]);
  return html`<section id="participants" data-live>
    <h2>${people.size} ${people.size === 1 ? 'participant' : 'participants'}</h2>
    <div class="row">
      ${[...people].map((user) => html`<a class="plain" href="/${user.login}" title="${user.login}">${avatar(user)}</a>`)}
    </div>
  </section>`;
}
