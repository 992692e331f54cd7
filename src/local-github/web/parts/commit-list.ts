import type { Commit } from '../../git/objects.ts';
import { userOfEmail } from '../../state/accounts.ts';
import type { User } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { RepositoryView } from '../view.ts';
import { checkMark } from './check-list.ts';
import { icon } from './icon.ts';
import { avatar, personName } from './person.ts';
import { ago } from './time.ts';

/** Whom a commit is by: an account where its address belongs to one, else just a name. */
export function commitAuthor({ site }: RepositoryView, { author }: Commit): User {
  return userOfEmail(site, author.email) ?? { id: 0, login: author.name, type: 'User', createdAt: author.date };
}

/** A commit as one line of a conversation. */
export function commitLine(view: RepositoryView, commit: Commit): Html {
  return html`<div class="event">
    <span class="dot">${icon('commit')}</span>${avatar(commitAuthor(view, commit))}
    <span class="grow">${subject(view, commit)}</span>${checkMark(view.repository, commit.sha)}${shortSha(view, commit)}
  </div>`;
}

export function commitList(view: RepositoryView, commits: readonly Commit[]): Html {
  return html`<div class="box">
    ${commits.map((commit) => {
      const author = commitAuthor(view, commit);
      return html`<div class="item">
        <div class="grow">
          <div><strong>${subject(view, commit)}</strong></div>
          <div class="row small muted">
            ${avatar(author)}<span>${personName(author)} committed ${ago(view.site.now(), commit.author.date)}</span>
          </div>
        </div>
        <div class="row">${checkMark(view.repository, commit.sha)}${shortSha(view, commit)}</div>
      </div>`;
    })}
  </div>`;
}

function subject({ repository }: RepositoryView, { sha, message }: Commit): Html {
  return html`<a class="plain" href="/${repository.fullName}/commit/${sha}">${message.split('\n', 1)}</a>`;
}

function shortSha({ repository }: RepositoryView, { sha }: Commit): Html {
  return html`<a class="mono muted" href="/${repository.fullName}/commit/${sha}">${sha.slice(0, 7)}</a>`;
}
