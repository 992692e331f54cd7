import { html } from '../html.ts';
import type { Html } from '../html.ts';

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `3 minutes ago`, with the exact time on hover; the date alone beyond a month. */
export function ago(now: Date, at: Date): Html {
  return html`<time datetime="${at.toISOString()}" title="${at.toUTCString()}">${relative(now, at)}</time>`;
}

function relative(now: Date, at: Date): string {
  const seconds = (now.getTime() - at.getTime()) / 1_000;
  if (seconds > 30 * 86_400) {
    return `on ${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })}`;
  }
  for (const [unit, length] of units) {
    const count = Math.floor(seconds / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  }
  return 'just now';
}
