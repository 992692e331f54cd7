import type { Reaction, User } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { renderMarkdown } from '../markdown.ts';
import type { RepositoryView } from '../view.ts';
import { avatar, personName } from './person.ts';
import { reactionBar } from './reactions.ts';
import { ago } from './time.ts';

export interface Said {
  readonly author: User;
  readonly body: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly reactions: readonly Reaction[];
}

interface Place {
  /** Anchor, such as `issuecomment-12`. */
  readonly id: string;
  /** Where the form of its reactions goes. */
  readonly reactionsPath: string;
  /** `opened this` on the first of a conversation. */
  readonly verb?: string;
}

export function commentBox(view: RepositoryView, said: Said, { id, reactionsPath, verb = 'commented' }: Place): Html {
  const { site, viewer, repository } = view;
  const { author, body, createdAt, updatedAt, reactions } = said;
  const edited = updatedAt.getTime() > createdAt.getTime() && verb === 'commented';
  return html`<article class="entry" id="${id}">
    ${avatar(author, 'large')}
    <div class="box comment ${author === viewer && 'own'}">
      <header class="head">
        <span class="grow"
          >${personName(author)} ${verb} <a class="muted" href="#${id}">${ago(site.now(), createdAt)}</a>${
            edited && html` · edited ${ago(site.now(), updatedAt)}`
          }</span
        >
      </header>
      <div class="body markdown">
        ${body === null || body === '' ? html`<p class="muted"><em>No description provided.</em></p>` : renderMarkdown(body, repository.fullName)}
      </div>
      ${reactionBar(view, reactions, reactionsPath)}
    </div>
  </article>`;
}
