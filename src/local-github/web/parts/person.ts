import type { User } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { icon } from './icon.ts';

export function avatar(user: User, size: 'small' | 'large' = 'small'): Html {
  const hue = Buffer.from(user.login).reduce((sum, byte) => (sum * 31 + byte) % 360, 7);
  const bot = user.type === 'Bot';
  const initials = bot
    ? icon('bot')
    : user.login
        .replaceAll(/[^a-z\d]/giu, '')
        .slice(0, 2)
        .toUpperCase();
  return html`<span class="avatar ${size} ${bot && 'bot'}" style="--hue: ${hue}" aria-hidden="true">${initials}</span>`;
}

/** The login as GitHub prints it: an app's without `[bot]`, but with a badge. */
export function personName(user: User): Html {
  const name = user.login.replace(/\[bot\]$/u, '');
  return html`<strong><a href="/${user.login}">${name}</a></strong
    >${user.type === 'Bot' && html` <span class="badge">bot</span>`}`;
}
