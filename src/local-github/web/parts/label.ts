import type { Label } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';

export function labelBadge({ name, color, description }: Label): Html {
  const safeColor = /^[\da-f]{6}$/iu.test(color) ? color : '888888';
  return html`<span class="label" style="--c: #${safeColor}" title="${description ?? ''}">${name}</span>`;
}
