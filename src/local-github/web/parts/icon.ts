import { html, trusted } from '../html.ts';
import type { Html } from '../html.ts';

const circle = '<circle cx="8" cy="8" r="6.25"/>';
const branches = '<circle cx="4.5" cy="3.5" r="1.75"/><circle cx="4.5" cy="12.5" r="1.75"/><path d="M4.5 5.25v5.5"/>';
const rightBranch = '<circle cx="11.5" cy="12.5" r="1.75"/><path d="M11.5 10.75V6a2 2 0 0 0-2-2H7.75"/>';

const shapes = {
  'issue-open': `${circle}<circle cx="8" cy="8" r="1" fill="currentColor"/>`,
  'issue-closed': `${circle}<path d="m5.5 8.25 1.75 1.75 3.25-3.5"/>`,
  pull: `${branches}${rightBranch}<path d="M9.25 2.25 7.5 4l1.75 1.75"/>`,
  'pull-closed': `${branches}<circle cx="11.5" cy="12.5" r="1.75"/><path d="M11.5 10.75V8M9.75 2.5l3.5 3.5M13.25 2.5 9.75 6"/>`,
  merged: `${branches}<circle cx="11.5" cy="8.5" r="1.75"/><path d="M4.5 5.25c.5 2 2.5 3.25 5.25 3.25"/>`,
  branch: `${branches}<circle cx="11.5" cy="4.5" r="1.75"/><path d="M11.5 6.25c0 2-2.5 2-7 4.5"/>`,
  commit: '<circle cx="8" cy="8" r="2.75"/><path d="M1.5 8h3.75M10.75 8h3.75"/>',
  comment:
    '<path d="M2.75 2.75h10.5a1 1 0 0 1 1 1v6.5a1 1 0 0 1-1 1H8L5 13.75v-2.5H2.75a1 1 0 0 1-1-1v-6.5a1 1 0 0 1 1-1Z"/>',
  check: '<path d="m3 8.5 3.25 3.25L13 4.75"/>',
  cross: '<path d="m4 4 8 8M12 4l-8 8"/>',
  dot: '<circle cx="8" cy="8" r="3" fill="currentColor"/>',
  waiting: '<circle cx="8" cy="8" r="6" stroke-dasharray="26 12"/>',
  skip: `${circle}<path d="m4 12 8-8"/>`,
  tag: '<path d="M2 2.75h5l6.75 6.75-4.5 4.5L2.5 7.25Z"/><circle cx="5" cy="5.5" r=".6" fill="currentColor"/>',
  pencil: '<path d="m10.5 2.75 2.75 2.75-7.5 7.5H3v-2.75Z"/>',
  code: '<path d="M5 4.5 1.75 8 5 11.5M11 4.5 14.25 8 11 11.5"/>',
  repo: '<path d="M3.25 12.75V3a1 1 0 0 1 1-1h8.5v9.75h-8.5a1 1 0 0 0 0 2h8.5v-2"/>',
  file: '<path d="M3.75 1.75h5.5l3 3v9.5h-8.5ZM9.25 1.75v3h3"/>',
  folder: '<path d="M1.75 3.25h4l1.5 1.75h7v7.75H1.75Z" fill="currentColor" fill-opacity=".35"/>',
  signal:
    '<circle cx="8" cy="8" r="1.25"/><path d="M5.25 10.75a4 4 0 0 1 0-5.5M10.75 5.25a4 4 0 0 1 0 5.5M3 13A7 7 0 0 1 3 3M13 3a7 7 0 0 1 0 10"/>',
  bot: '<rect x="2.75" y="5.25" width="10.5" height="8" rx="2"/><path d="M8 5.25v-3M5.75 8.75v1.25M10.25 8.75v1.25"/>',
  smile: `${circle}<path d="M5.5 9.5c1.25 1.75 3.75 1.75 5 0M6 6.25v.25M10 6.25v.25"/>`,
  gear: '<circle cx="8" cy="8" r="2.25"/><path d="M8 1.75v2M8 12.25v2M1.75 8h2M12.25 8h2M3.6 3.6 5 5M11 11l1.4 1.4M3.6 12.4 5 11M11 5l1.4-1.4"/>',
  trash: '<path d="M2.75 4.25h10.5M6 4v-1.75h4V4M4.25 4.5l.5 9h6.5l.5-9"/>',
  'thumbs-up':
    '<path d="M2 7.25h2.5v6H2ZM4.5 7.5 7.5 2c1.25 0 1.75 1 1.5 2.25L8.5 6.5h4a1.25 1.25 0 0 1 1.2 1.6l-1.2 4.2a1.25 1.25 0 0 1-1.2.95H4.5"/>',
  'thumbs-down':
    '<path d="M2 8.75h2.5v-6H2ZM4.5 8.5l3 5.5c1.25 0 1.75-1 1.5-2.25L8.5 9.5h4a1.25 1.25 0 0 0 1.2-1.6l-1.2-4.2a1.25 1.25 0 0 0-1.2-.95H4.5"/>',
  laugh: `${circle}<path d="M4.75 8.75h6.5a3.25 3.25 0 0 1-6.5 0ZM5 5.75 6.5 6.5M11 5.75 9.5 6.5"/>`,
  hooray:
    '<path d="M5 6.5 2 14l7.5-3ZM8.5 5.5c1-1 .75-2.5 0-3.5M10.5 7.5c1-1 2.5-.75 3.5 0M11 5l1.75-1.75M11.5 1.75v.1M14.25 5v.1"/>',
  confused: `${circle}<path d="M5.5 11c1-1 3-1.25 5-.75M6 6.25v.25M10 6.25v.25"/>`,
  heart:
    '<path d="M8 13.75C3.5 10.75 1.75 8.5 1.75 6A3.25 3.25 0 0 1 8 4.75 3.25 3.25 0 0 1 14.25 6c0 2.5-1.75 4.75-6.25 7.75Z" fill="currentColor"/>',
  rocket:
    '<path d="M6 10 4 8.25C5.5 4.5 8.5 2 13.75 2.25 14 7.5 11.5 10.5 7.75 12L6 10ZM4 8.25l-2.25.25L4 5.75M7.75 12l-.25 2.25L10.25 12M4 11.5 2.25 13.75"/><circle cx="10" cy="6" r="1"/>',
  eyes: '<ellipse cx="4.75" cy="8" rx="2.75" ry="4.25"/><ellipse cx="11.25" cy="8" rx="2.75" ry="4.25"/><circle cx="5.5" cy="9" r="1" fill="currentColor"/><circle cx="12" cy="9" r="1" fill="currentColor"/>',
  logo: '<path d="M8 1.5 13.75 4.75v6.5L8 14.5 2.25 11.25v-6.5Z"/><path d="M8 8v6M8 8 2.75 5M8 8l5.25-3"/>',
} as const;

export type IconName = keyof typeof shapes;

/** Decorative: the text beside it says the same. */
export function icon(name: IconName, classes = ''): Html {
  return html`<svg class="icon ${classes}" viewBox="0 0 16 16" aria-hidden="true">${trusted(shapes[name])}</svg>`;
}
