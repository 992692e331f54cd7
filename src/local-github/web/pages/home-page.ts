import { canSee } from '../../state/roles.ts';
import { html } from '../html.ts';
import type { Page } from '../page.ts';
import { icon } from '../parts/icon.ts';
import { ago } from '../parts/time.ts';
import type { View } from '../view.ts';

/** All repositories that the viewer may see; `owner` narrows to an account's. */
export function homePage({ site, actor }: View, owner?: string): Page {
  const repositories = [...site.repositories.values()].filter(
    (repository) =>
      canSee(actor, repository) &&
      (owner === undefined || repository.owner.login.toLowerCase() === owner.toLowerCase()),
  );
  const rows = repositories.map((repository) => {
    const open = [...repository.issues.values()].filter((issue) => issue.state === 'open').length;
    return html`<div class="item">
      <span class="muted">${icon('repo')}</span>
      <div class="grow">
        <a class="title" href="/${repository.fullName}">${repository.fullName}</a>
        <span class="badge">${repository.private ? 'Private' : 'Public'}</span>
        <div class="small muted">${open} open · updated ${ago(site.now(), repository.pushedAt)}</div>
      </div>
    </div>`;
  });
  return {
    title: owner ?? 'Local GitHub',
    content: html`<div class="subject"><h1>${owner ?? 'Repositories'}</h1></div>
      <div class="box" id="repositories" data-live>
        ${rows.length === 0 ? html`<p class="blank">No repositories yet.</p>` : rows}
      </div>`,
  };
}
