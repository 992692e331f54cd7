import { html } from '../html.ts';
import type { Page } from '../page.ts';
import { avatar } from '../parts/person.ts';
import type { RepositoryView } from '../view.ts';

export function newIssuePage({ repository, viewer }: RepositoryView): Page {
  return {
    title: `New issue · ${repository.fullName}`,
    tab: 'issues',
    content: html`<form class="entry" method="post" action="/${repository.fullName}/issues">
      ${avatar(viewer, 'large')}
      <div>
        <h1 class="heading lead">Create new issue</h1>
        <label class="field"
          ><span>Title</span><input type="text" name="title" required maxlength="256" autofocus
        /></label>
        <label class="field"
          ><span>Description</span><textarea name="body" rows="10" placeholder="Markdown works here"></textarea>
        </label>
        <div class="row end"><button class="primary">Create</button></div>
      </div>
    </form>`,
  };
}
