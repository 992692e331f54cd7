import type { FileDiff } from '../../git/diff.ts';
import type { Commit } from '../../git/objects.ts';
import { html } from '../html.ts';
import type { Page } from '../page.ts';
import { checkMark } from '../parts/check-list.ts';
import { commitAuthor } from '../parts/commit-list.ts';
import { diffView } from '../parts/diff-view.ts';
import { avatar, personName } from '../parts/person.ts';
import { ago } from '../parts/time.ts';
import type { RepositoryView } from '../view.ts';

export function commitPage(view: RepositoryView, commit: Commit, files: readonly FileDiff[]): Page {
  const { repository, site } = view;
  const [subject = '', ...rest] = commit.message.split('\n');
  const author = commitAuthor(view, commit);
  const body = rest.join('\n').trim();
  const path = `/${repository.fullName}`;
  return {
    title: `${subject} · ${repository.fullName}@${commit.sha.slice(0, 7)}`,
    tab: 'code',
    content: html`<div class="box lead">
        <div class="head">
          <strong class="grow">${subject}</strong>${checkMark(repository, commit.sha)}
          <a class="button tiny" href="${path}/tree/${commit.sha}">Browse files</a>
        </div>
        ${body !== '' && html`<pre class="body">${body}</pre>`}
        <div class="body row small muted">
          ${avatar(author)}<span class="grow"
            >${personName(author)} committed ${ago(site.now(), commit.author.date)}</span
          >
          <span
            >${commit.parents.length === 1 ? 'parent' : 'parents'}
            ${commit.parents.map((sha) => html`<a class="mono" href="${path}/commit/${sha}">${sha.slice(0, 7)}</a> `)}</span
          >
          <span>commit <span class="mono">${commit.sha.slice(0, 7)}</span></span>
        </div>
      </div>
      ${diffView(files)}`,
  };
}
