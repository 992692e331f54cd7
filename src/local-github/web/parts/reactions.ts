import type { Reaction, ReactionContent } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { RepositoryView } from '../view.ts';
import { icon } from './icon.ts';

const emoji: Record<ReactionContent, string> = {
  '+1': '👍',
  '-1': '👎',
  laugh: '😄',
  hooray: '🎉',
  confused: '😕',
  heart: '❤️',
  rocket: '🚀',
  eyes: '👀',
};

export function isReactionContent(text: string): text is ReactionContent {
  return Object.hasOwn(emoji, text);
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
  const names = Object.keys(emoji).filter(isReactionContent);
  return html`<form class="reactions" method="post" action="${target}">
    <details class="pop">
      <summary class="muted" aria-label="Add reaction" title="Add reaction">${icon('smile')}</summary>
      <div class="menu">${names.map((name) => button(name, emoji[name]))}</div>
    </details>
    ${names.filter((name) => given.has(name)).map((name) => button(name, html`${emoji[name]} ${given.get(name)?.length}`))}
  </form>`;
}
