import { render, html } from './html.ts';
import type { Content, Html } from './html.ts';
import { icon } from './parts/icon.ts';
import type { IconName } from './parts/icon.ts';
import { avatar } from './parts/person.ts';
import type { RepositoryView, View } from './view.ts';

type Tab = 'code' | 'issues' | 'pulls';

export interface Page {
  readonly title: string;
  readonly tab?: Tab;
  /** What the page script renews must have an `id` and `data-live`. */
  readonly content: Content;
}

/** The whole document: header, tabs of the repository if there is one, content. */
export function renderPage(view: View | RepositoryView, { title, tab, content }: Page): string {
  return render(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href="/-/style.css" />
          <script src="/-/live.js" defer></script>
        </head>
        <body>
          <header class="top">
            <div class="bar">
              <a class="brand" href="/" aria-label="All repositories">${icon('logo')}<span>Local GitHub</span></a>
              ${'repository' in view ? crumbs(view) : html`<div class="grow"></div>`}
              <a
                class="plain row"
                href="/settings/deliveries"
                title="Webhook deliveries"
                aria-label="Webhook deliveries"
                >${icon('signal')}</a
              >
              ${actingAs(view)}
            </div>
            ${'repository' in view && tabs(view, tab)}
          </header>
          <main>${content}</main>
          <footer class="foot">
            An embedded GitHub on this machine, for trying things out. Nothing here reaches github.com.
          </footer>
        </body>
      </html> `,
  );
}

function crumbs({ repository: { owner, name } }: RepositoryView): Html {
  return html`<nav class="crumbs grow" aria-label="Repository">
    <a href="/${owner.login}">${owner.login}</a> / <a href="/${owner.login}/${name}">${name}</a>
  </nav>`;
}

function tabs({ repository }: RepositoryView, current: Tab | undefined): Html {
  const open = [...repository.issues.values()].filter((issue) => issue.state === 'open');
  const pulls = open.filter((issue) => issue.pull !== null).length;
  const tab = (key: Tab, [name, path, symbol]: readonly [string, string, IconName], count?: number) =>
    html`<a href="/${repository.fullName}${path}" ${current === key && html`aria-current="page"`}
      >${icon(symbol)}${name}${count !== undefined && count > 0 && html` <span class="count">${count}</span>`}</a
    >`;
  return html`<nav class="tabs" id="tabs" aria-label="Sections" data-live>
    ${tab('code', ['Code', '', 'code'])} ${tab('issues', ['Issues', '/issues', 'issue-open'], open.length - pulls)}
    ${tab('pulls', ['Pull requests', '/pulls', 'pull'], pulls)}
  </nav>`;
}

function actingAs({ site, viewer, url }: View): Html {
  const people = [...site.users.values()].filter((user) => user.type === 'User');
  return html`<details class="pop">
    <summary aria-label="Acting as ${viewer.login}" title="Acting as ${viewer.login}">
      ${avatar(viewer)}<span class="small caret">${viewer.login}</span>
    </summary>
    <form class="menu" method="post" action="/login">
      <p>Act as</p>
      <input type="hidden" name="return_to" value="${url.pathname}${url.search}" />
      ${people.map(
        (user) =>
          html`<button
            class="choice"
            name="login"
            value="${user.login}"
            aria-pressed="${user === viewer ? 'true' : 'false'}"
          >
            ${avatar(user)} ${user.login}
          </button>`,
      )}
    </form>
  </details>`;
}
