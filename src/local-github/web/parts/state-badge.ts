import type { Issue } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { icon } from './icon.ts';
import type { IconName } from './icon.ts';

interface Look {
  readonly text: 'Open' | 'Closed' | 'Merged' | 'Draft';
  readonly icon: IconName;
  /** Colour of the badge, and of the icon in a list. */
  readonly tone: 'open' | 'done' | 'closed' | 'draft';
}

function look({ state, pull }: Issue): Look {
  if (pull === null) {
    return state === 'open'
      ? { text: 'Open', icon: 'issue-open', tone: 'open' }
      : { text: 'Closed', icon: 'issue-closed', tone: 'done' };
  }
  if (pull.mergedAt !== null) return { text: 'Merged', icon: 'merged', tone: 'done' };
  if (state === 'closed') return { text: 'Closed', icon: 'pull-closed', tone: 'closed' };
  return pull.draft ? { text: 'Draft', icon: 'pull', tone: 'draft' } : { text: 'Open', icon: 'pull', tone: 'open' };
}

export function stateBadge(issue: Issue): Html {
  const { text, icon: name, tone } = look(issue);
  return html`<span class="state ${tone}">${icon(name)}${text}</span>`;
}

export function stateIcon(issue: Issue): Html {
  const { text, icon: name, tone } = look(issue);
  const kind = issue.pull === null ? 'issue' : 'pull request';
  return html`<span class="is-${tone}" title="${text} ${kind}"
    >${icon(name)}<span class="visually-hidden">${text}</span></span
  >`;
}
