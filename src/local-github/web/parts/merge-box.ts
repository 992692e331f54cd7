import type { PullRequest } from '../../state/records.ts';
import { isAtLeast, roleOf } from '../../state/roles.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { RepositoryView } from '../view.ts';
import { checkIcon, checksOf, summarise } from './check-list.ts';
import type { CheckSummary } from './check-list.ts';
import { icon } from './icon.ts';
import type { IconName } from './icon.ts';

export interface MergeFacts {
  /** Null while it is being computed. */
  readonly mergeable: boolean | null;
  readonly headBranchExists: boolean;
}

/** The end of a pull request's conversation: checks, conflicts and the button that merges. */
export function mergeBox(view: RepositoryView, request: PullRequest, facts: MergeFacts): Html {
  const { pull } = request;
  if (pull.mergedAt !== null) {
    return closedBox(view, request, { facts, tone: 'done', text: 'Pull request successfully merged and closed' });
  }
  if (request.state === 'closed') {
    return closedBox(view, request, { facts, tone: '', text: 'Closed with unmerged commits' });
  }
  return html`<section
    class="box merge ${facts.mergeable === true && 'can'}"
    id="merge-box"
    aria-label="Merge"
    data-live
  >
    ${checksItem(view, request)} ${conflictsItem(pull.base.ref, facts.mergeable)} ${mergeItem(view, request, facts)}
  </section>`;
}

function item(symbol: IconName, tone: string, content: Html): Html {
  return html`<div class="item">
    <span class="circle ${tone}">${icon(symbol, symbol === 'waiting' ? 'spin' : '')}</span>
    <div class="grow">${content}</div>
  </div>`;
}

interface ClosedBox {
  readonly facts: MergeFacts;
  readonly tone: string;
  readonly text: string;
}

function closedBox(view: RepositoryView, request: PullRequest, { facts, tone, text }: ClosedBox): Html {
  const mayDelete = facts.headBranchExists && mayWrite(view);
  return html`<section class="box merge ${tone}" id="merge-box" aria-label="Merge" data-live>
    ${item(
      tone === 'done' ? 'merged' : 'pull-closed',
      tone,
      html`<div class="row spread">
        <div>
          <strong>${text}</strong>
          <div class="muted">
            ${
              facts.headBranchExists
                ? html`The <span class="branch">${request.pull.head.ref}</span> branch can be deleted.`
                : html`The <span class="branch">${request.pull.head.ref}</span> branch has been deleted.`
            }
          </div>
        </div>
        ${mayDelete && html`<form method="post" action="${formPath(view, request)}/delete-branch"><button>Delete branch</button></form>`}
      </div>`,
    )}
  </section>`;
}

const checkTexts: Record<CheckSummary, readonly [IconName, string, string]> = {
  none: ['dot', '', 'No checks have run on this commit'],
  waiting: ['waiting', '', 'Some checks haven’t completed yet'],
  bad: ['cross', 'bad', 'Some checks were not successful'],
  good: ['check', 'good', 'All checks have passed'],
};

function checksItem({ repository }: RepositoryView, { number, pull }: PullRequest): Html {
  const runs = checksOf(repository, pull.head.sha);
  const [symbol, tone, text] = checkTexts[summarise(runs)];
  const list = runs.map(
    (run) =>
      html`<div class="row spread">
        <span class="row"
          >${checkIcon(run)}<strong>${run.name}</strong><span class="muted">${run.output.title}</span></span
        >
        <a
          class="small"
          href="/${repository.fullName}/pull/${number}/checks#check-${run.id}"
          aria-label="Details of ${run.name}"
          >Details</a
        >
      </div>`,
  );
  return item(symbol, tone, html`<strong>${text}</strong>${list}`);
}

function conflictsItem(base: string, mergeable: boolean | null): Html {
  if (mergeable === null)
    return item('waiting', '', html`<strong>Checking for the ability to merge automatically…</strong>`);
  return mergeable
    ? item(
        'check',
        'good',
        html`<strong>No conflicts with the base branch</strong>
          <div class="muted">Merging can be performed automatically.</div>`,
      )
    : item(
        'cross',
        'bad',
        html`<strong>This branch has conflicts that must be resolved</strong>
          <div class="muted">Bring <span class="branch">${base}</span> into the branch and push.</div>`,
      );
}

function mergeItem(view: RepositoryView, request: PullRequest, { mergeable }: MergeFacts): Html {
  if (request.pull.draft) return item('pull', '', html`<strong>This pull request is still a work in progress</strong>`);
  if (!mayWrite(view)) {
    return item(
      'merged',
      '',
      html`<strong>Only those with write access to this repository can merge pull requests.</strong>`,
    );
  }
  return html`<div class="item">
    <form class="row" method="post" action="${formPath(view, request)}/merge">
      <button class="primary" ${mergeable === false && html`disabled`}>Merge pull request</button>
      <select name="method" aria-label="Merge method">
        <option value="merge">Create a merge commit</option>
        <option value="squash">Squash and merge</option>
        <option value="rebase">Rebase and merge</option>
      </select>
      <input type="hidden" name="sha" value="${request.pull.head.sha}" />
    </form>
  </div>`;
}

function formPath({ repository }: RepositoryView, { number }: PullRequest): string {
  return `/${repository.fullName}/pull/${number}`;
}

function mayWrite({ repository, viewer }: RepositoryView): boolean {
  return isAtLeast(roleOf(repository, viewer), 'write');
}
