import { describe, expect, it } from 'vitest';

import { createGithubContract } from '../../support/github-contract.ts';

const contract = createGithubContract();
const repo = '/api/v3/repos/ada/shapes';

const user = (login: string) => {
  const url = `http://127.0.0.1:4001/api/v3/users/${encodeURIComponent(login)}`;
  return {
    login,
    id: 1,
    node_id: 'U_1',
    avatar_url: `${url}.png`,
    gravatar_id: '',
    url,
    html_url: url,
    followers_url: url,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: url,
    organizations_url: url,
    repos_url: url,
    events_url: `${url}/events{/privacy}`,
    received_events_url: url,
    type: 'User',
    site_admin: false,
  };
};

const comment = {
  id: 7,
  node_id: 'IC_7',
  url: 'http://127.0.0.1:4001/api/v3/repos/ada/shapes/issues/comments/7',
  html_url: 'http://127.0.0.1:4001/ada/shapes/issues/1#issuecomment-7',
  issue_url: 'http://127.0.0.1:4001/api/v3/repos/ada/shapes/issues/1',
  body: 'hello',
  user: user('ada'),
  created_at: '2026-11-22T10:00:00Z',
  updated_at: '2026-11-22T10:00:00Z',
  author_association: 'OWNER',
};

describe('requests', () => {
  it('accepts a documented one, with and without the Enterprise prefix', () => {
    for (const path of [`${repo}/issues/1/comments`, '/repos/ada/shapes/issues/1/comments']) {
      expect(contract.checkRequest({ method: 'POST', path, body: { body: 'hello' } })).toEqual([]);
    }
  });

  it('refuses an unknown operation', () => {
    const found = contract.checkRequest({ method: 'POST', path: `${repo}/issue/1/comments`, body: { body: 'x' } });
    expect(found).toEqual([expect.stringContaining('no such operation')]);
    expect(contract.checkRequest({ method: 'PUT', path: '/app' })).toHaveLength(1);
    expect(contract.checkRequest({ method: 'GET', path: `${repo}/issues/one` })).toHaveLength(1);
  });

  it('refuses a misspelt field', () => {
    const body = { title: 'Refactor', head: 'bot/x', base: 'main', drafft: true };
    const found = contract.checkRequest({ method: 'POST', path: `${repo}/pulls`, body });
    expect(found).toEqual([expect.stringContaining('/drafft: not documented')]);
  });

  it('refuses a misspelt field below the top, and inside variants', () => {
    const body = {
      name: 'refactor-bot',
      head_sha: 'a'.repeat(40),
      status: 'completed',
      conclusion: 'success',
      output: { title: 't', summary: 's', annotations: [{ path: 'a', start_line: 1, end_line: 1, level: 'x' }] },
    };
    const found = contract.checkRequest({ method: 'POST', path: `${repo}/check-runs`, body });
    expect(found).toContainEqual(expect.stringContaining('/output/annotations/0/level: not documented'));
    expect(found).toContainEqual(expect.stringContaining("must have required property 'annotation_level'"));
  });

  it('refuses a missing, a mistyped and an unlisted value', () => {
    const post = (path: string, body: unknown) => contract.checkRequest({ method: 'POST', path: repo + path, body });
    expect(post('/issues/1/comments', undefined)).toEqual([expect.stringContaining('missing')]);
    expect(post('/issues/1/comments', {})).toEqual([expect.stringContaining("required property 'body'")]);
    expect(post('/issues/1/comments', { body: 7 })).toEqual([expect.stringContaining('must be string')]);
    expect(post('/issues/1/reactions', { content: 'wave' })).toEqual([expect.stringContaining('rocket')]);
  });

  it('checks the query by its text', () => {
    const get = (query: string) => contract.checkRequest({ method: 'GET', path: `${repo}/issues?${query}` });
    expect(get('state=all&per_page=100&labels=7')).toEqual([]);
    expect(get('per_page=many')).toEqual([expect.stringContaining('must be integer')]);
    expect(get('perpage=100')).toEqual([expect.stringContaining('perpage')]);
  });

  it('takes refs and paths with slashes, escaped or not, and free-form maps', () => {
    for (const path of ['/git/ref/heads/bot/x', '/git/ref/heads%2Fbot%2Fx', '/contents/src/a.ts', '/compare/a...b/c']) {
      expect(contract.checkRequest({ method: 'GET', path: repo + path })).toEqual([]);
    }
    expect(contract.checkRequest({ method: 'GET', path: `${repo}/commits/bot/x/check-runs?check_name=x` })).toEqual([]);
    const body = { permissions: { contents: 'write' } };
    expect(contract.checkRequest({ method: 'POST', path: '/app/installations/1/access_tokens', body })).toEqual([]);
  });
});

describe('responses', () => {
  const path = `${repo}/issues/1/comments`;

  it('accepts a full one', () => {
    expect(contract.checkResponse({ method: 'POST', path, status: 201, body: comment })).toEqual([]);
    expect(contract.checkResponse({ method: 'GET', path, status: 200, body: [comment] })).toEqual([]);
  });

  it('refuses a missing field, at the top and below', () => {
    const { html_url: _, ...partial } = comment;
    const found = contract.checkResponse({ method: 'POST', path, status: 201, body: partial });
    expect(found).toEqual([expect.stringContaining("must have required property 'html_url'")]);
    const { site_admin: __, ...partialUser } = comment.user;
    const body = { ...comment, user: partialUser };
    expect(contract.checkResponse({ method: 'POST', path, status: 201, body }).join('\n')).toContain('site_admin');
  });

  it('refuses a wrong format and a raw bracket in a URL', () => {
    const body = { ...comment, created_at: 'yesterday', html_url: 'http://127.0.0.1/x[bot]' };
    const found = contract.checkResponse({ method: 'POST', path, status: 201, body }).join('\n');
    expect(found).toContain('/created_at: must match format "date-time"');
    expect(found).toContain('/html_url: must match format "uri"');
  });

  it('refuses undocumented statuses, but for errors that any operation may answer', () => {
    const body = { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest' };
    expect(contract.checkResponse({ method: 'GET', path: repo, status: 401, body })).toEqual([]);
    expect(contract.checkResponse({ method: 'GET', path: repo, status: 202, body })).toHaveLength(1);
    expect(contract.checkResponse({ method: 'GET', path: repo, status: 401, body: { message: 7 } })).toHaveLength(1);
    expect(contract.checkResponse({ method: 'GET', path: '/nowhere', status: 404, body })).toHaveLength(1);
  });

  it('wants no body where none is documented', () => {
    const remove = { method: 'DELETE', path: `${repo}/git/refs/heads/x`, status: 204 };
    expect(contract.checkResponse(remove)).toEqual([]);
    expect(contract.checkResponse({ ...remove, body: { ok: true } })).toHaveLength(1);
  });
});

describe('webhooks', () => {
  it('refuses an unknown event and a payload lacking fields', () => {
    expect(contract.checkWebhook('issues', 'relabeled', {})).toEqual([expect.stringContaining('no such webhook')]);
    const found = contract.checkWebhook('issues', 'labeled', { action: 'labeled' }).join('\n');
    for (const field of ['issue', 'repository', 'sender']) expect(found).toContain(`'${field}'`);
  });

  it('knows events without an action and with two words', () => {
    expect(contract.checkWebhook('push', undefined, {}).join()).toContain("'ref'");
    expect(contract.checkWebhook('issue_comment', 'created', {}).join()).toContain("'comment'");
  });
});
