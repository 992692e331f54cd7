import type { Reaction, ReactionContent } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { RepositoryView } from '../view.ts';
import { icon } from './icon.ts';
import type { IconName } from './icon.ts';

/** Drawn, not written: not every machine has a font with emoji. */
const faces: Record<ReactionContent, readonly [IconName, string]> = {
  '+1': ['thumbs-up', 'face-1'],
  '-1': ['thumbs-down', 'face-1'],
  laugh: ['laugh', 'face-1'],
  hooray: ['hooray', 'face-3'],
  confused: ['confused', 'face-1'],
  heart: ['heart', 'face-2'],
  rocket: ['rocket', 'face-3'],
  eyes: ['eyes', 'face-3'],
};

export function isReactionContent(text: string): text is ReactionContent {
  return Object.hasOwn(faces, text);
}

/** Pills of those given, and a menu to give one; pressing one's own takes it back. `target` is a form path. */
export function reactionBar({ viewer }: RepositoryView, reactions: readonly Reaction[], target: string): Html {
  const given = Map.groupBy(reactions, (reaction) => reaction.content);
  const button = (content: ReactionContent, label: Html | string) => {
    const people = (given.get(content) ?? []).map((reaction) => reaction.user);
    return html`<button
      name="content"
      value="${content}"
      aria-label="${content}${people.length > 0 && `: ${people.length}`}"
      aria-pressed="${people.includes(viewer) ? 'true' : 'false'}"
      title="${people.map((user) => user.login).join(', ')}"
    >
      ${label}
    </button>`;
  };
  const names = Object.keys(faces).filter(isReactionContent);
  return html`<form class="reactions" method="post" action="${target}">
    <details class="pop">
      <summary class="muted" aria-label="Add reaction" title="Add reaction">${icon('smile')}</summary>
      <div class="menu">${names.map((name) => button(name, icon(...faces[name])))}</div>
    </details>
    ${names.filter((name) => given.has(name)).map((name) => button(name, html`${icon(...faces[name])} ${given.get(name)?.length}`))}
  </form>`;
}
