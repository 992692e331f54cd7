import type { TreeEntry } from '../../git/objects.ts';
import type { Commit } from '../../git/objects.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { renderMarkdown } from '../markdown.ts';
import type { Page } from '../page.ts';
import { checkMark } from '../parts/check-list.ts';
import { commitAuthor } from '../parts/commit-list.ts';
import { icon } from '../parts/icon.ts';
import { avatar, personName } from '../parts/person.ts';
import { ago } from '../parts/time.ts';
import type { RepositoryView } from '../view.ts';

export interface TreeFacts {
  /** Branch, tag or commit as the address names it. */
  readonly ref: string;
  /** Below the root, without slashes at its ends; empty at the root. */
  readonly path: string;
  readonly latest: Commit;
  readonly entries: readonly TreeEntry[];
  readonly readme: string | null;
}

export function treePage(view: RepositoryView, facts: TreeFacts): Page {
  const { repository } = view;
  const { ref, path, entries, readme } = facts;
  const ordered = entries.toSorted((a, b) => Number(b.type === 'tree') - Number(a.type === 'tree'));
  return {
    title: path === '' ? repository.fullName : `${path} · ${repository.fullName}`,
    tab: 'code',
    content: html`${pathBar(view, { ref, path })}
      <div class="box lead" id="tree" data-live>
        ${latestCommit(view, facts)}
        ${ordered.map((entry) => {
          const kind = entry.type === 'tree' ? 'tree' : 'blob';
          const href = entryPath(repository.fullName, {
            kind,
            ref,
            path: path === '' ? entry.path : `${path}/${entry.path}`,
          });
          return html`<div class="item file-row">
            <span class="${kind === 'tree' ? 'is-folder' : 'muted'}">${icon(kind === 'tree' ? 'folder' : 'file')}</span
            ><a class="plain" href="${href}">${entry.path}</a>
          </div>`;
        })}
      </div>
      ${
        readme !== null &&
        html`<div class="box">
          <div class="head"><strong>README</strong></div>
          <div class="body roomy markdown">${renderMarkdown(readme, repository.fullName)}</div>
        </div>`
      }`,
  };
}

export function emptyRepositoryPage({ repository, site }: RepositoryView): Page {
  return {
    title: repository.fullName,
    tab: 'code',
    content: html`<div class="box">
      <div class="blank">
        <h2>This repository is empty</h2>
        <p>Push something to it:</p>
        <pre class="payload">git push ${site.url}/${repository.fullName}.git HEAD:${repository.defaultBranch}</pre>
      </div>
    </div>`,
  };
}

export function blobPage(view: RepositoryView, { ref, path }: Pick<TreeFacts, 'ref' | 'path'>, content: Buffer): Page {
  const text = content.includes(0) ? null : content.toString('utf8');
  const lines = text?.replace(/\n$/u, '').split('\n') ?? [];
  return {
    title: `${path} · ${view.repository.fullName}`,
    tab: 'code',
    content: html`${pathBar(view, { ref, path })}
      <div class="box file">
        <div class="head small mono">${lines.length} lines · ${content.byteLength} bytes</div>
        ${
          text === null
            ? html`<p class="blank">Binary file: nothing to show.</p>`
            : html`<div class="scroll">
                <table class="code plain-code">
                  ${lines.map(
                    (line, index) =>
                      html`<tr>
                        <td class="num" id="L${index + 1}" data-n="${index + 1}"></td>
                        <td>${line}</td>
                      </tr>`,
                  )}
                </table>
              </div>`
        }
      </div>`,
  };
}

function pathBar({ repository }: RepositoryView, { ref, path }: Pick<TreeFacts, 'ref' | 'path'>): Html {
  const segments = path === '' ? [] : path.split('/');
  const links = segments.map((segment, index) => {
    const href = entryPath(repository.fullName, { kind: 'tree', ref, path: segments.slice(0, index + 1).join('/') });
    return html` /
    ${index === segments.length - 1 ? html`<strong>${segment}</strong>` : html`<a href="${href}">${segment}</a>`}`;
  });
  return html`<div class="row lead">
    <span class="branch">${ref.slice(0, 40)}</span
    ><span
      ><a href="/${repository.fullName}/tree/${ref}"><strong>${repository.name}</strong></a
      >${links}</span
    >
  </div>`;
}

function latestCommit(view: RepositoryView, { latest }: TreeFacts): Html {
  const author = commitAuthor(view, latest);
  const href = `/${view.repository.fullName}/commit/${latest.sha}`;
  return html`<div class="head small">
    ${avatar(author)}<span class="grow"
      >${personName(author)}
      <a class="muted" href="${href}">${latest.message.split('\n', 1)}</a>
      ${checkMark(view.repository, latest.sha)}</span
    >
    <a class="mono muted" href="${href}">${latest.sha.slice(0, 7)}</a
    ><span class="muted">${ago(view.site.now(), latest.committer.date)}</span>
  </div>`;
}

function entryPath(
  repository: string,
  { kind, ref, path }: { kind: 'tree' | 'blob'; ref: string; path: string },
): string {
  return `/${repository}/${kind}/${ref}/${path.split('/').map(encodeURIComponent).join('/')}`;
}
