/** Small payloads with the fields that GitHub's have and the bot uses, and a few that it does not. */

const base = {
  repository: {
    id: 1,
    name: 'render',
    full_name: 'acme/render',
    private: false,
    owner: { login: 'acme', id: 2, type: 'Organization' },
    clone_url: 'https://github.com/acme/render.git',
    default_branch: 'main',
  },
  installation: { id: 7, node_id: 'x' },
};

export const maintainer = { login: 'maintainer', id: 3, type: 'User' };
export const stranger = { login: 'stranger', id: 4, type: 'User' };
export const ownBot = { login: 'refactor-bot[bot]', id: 5, type: 'Bot' };

const issue = { id: 100, number: 12, title: 'Tidy up', body: 'only src', state: 'open', labels: [] };

export function labeled(change: { readonly label?: string; readonly sender?: object; readonly issue?: object } = {}) {
  return {
    action: 'labeled',
    ...base,
    sender: change.sender ?? maintainer,
    label: { id: 9, name: change.label ?? 'refactor', color: 'ffffff' },
    issue: { ...issue, ...change.issue },
  };
}

export function commented(
  body: string,
  change: { readonly sender?: object; readonly issue?: object; readonly action?: string } = {},
) {
  const sender = change.sender ?? maintainer;
  return {
    action: change.action ?? 'created',
    ...base,
    sender,
    issue: { ...issue, ...change.issue },
    comment: { id: 555, body, user: sender, author_association: 'OWNER' },
  };
}

export function pullClosed(change: {
  readonly branch: string;
  readonly merged: boolean;
  readonly number?: number;
  readonly from?: string | null;
}) {
  const from = change.from === undefined ? 'acme/render' : change.from;
  return {
    action: 'closed',
    number: change.number ?? 40,
    ...base,
    sender: maintainer,
    pull_request: {
      number: change.number ?? 40,
      state: 'closed',
      merged: change.merged,
      merge_commit_sha: change.merged ? 'b'.repeat(40) : null,
      head: { ref: change.branch, sha: 'c'.repeat(40), repo: from === null ? null : { full_name: from } },
    },
  };
}
