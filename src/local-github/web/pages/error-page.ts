import { html } from '../html.ts';
import type { Page } from '../page.ts';

/** What a person sees when an action was refused; the way back keeps what was typed. */
export function errorPage(status: number, message: string): Page {
  return {
    title: message,
    content: html`<div class="box">
      <div class="blank">
        <p class="status">${status}</p>
        <p role="alert">${message}</p>
        <p><a href="/">All repositories</a></p>
      </div>
    </div>`,
  };
}
