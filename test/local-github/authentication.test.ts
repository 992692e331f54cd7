import { createSign } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startTestGithub } from './test-github.ts';
import type { TestGithub } from './test-github.ts';

const repo = { owner: 'acme', repo: 'widgets' };
let test: TestGithub;
let now: Date;

beforeEach(async () => {
  now = new Date();
  test = await startTestGithub({ now: () => now });
});
afterEach(async () => {
  const violations = test.violations();
  await test.close();
  expect(violations).toEqual([]);
});

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A JWT that is right but for what is changed. */
function jwt(changes: { header?: object; claims?: object; key?: string } = {}): string {
  const nowS = Math.floor(now.getTime() / 1000);
  const claims = { iat: nowS - 30, exp: nowS + 570, iss: String(test.github.app.id), ...changes.claims };
  const signed = `${part({ alg: 'RS256', typ: 'JWT', ...changes.header })}.${part(claims)}`;
  return `${signed}.${createSign('RSA-SHA256')
    .update(signed)
    .sign(changes.key ?? test.github.app.privateKey, 'base64url')}`;
}

async function get(path: string, token?: string): Promise<[number, string]> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${test.github.url}/api/v3${path}`, { headers });
  const { message = '' } = (await response.json()) as { message?: string };
  return [response.status, message];
}

describe("the app's JWT", () => {
  it('opens the app, its installations and the one of a repository', async () => {
    const app = test.app();
    expect((await app.rest.apps.getAuthenticated()).data).toMatchObject({
      slug: 'refactor-bot',
      id: test.github.app.id,
    });
    const { data: installations } = await app.rest.apps.listInstallations();
    expect(installations).toMatchObject([
      { account: { login: 'acme', type: 'Organization' }, permissions: { contents: 'write' } },
    ]);
    expect((await app.rest.apps.getRepoInstallation(repo)).data.id).toBe(installations[0]?.id);
    expect((await app.rest.apps.getInstallation({ installation_id: installations[0]?.id ?? 0 })).data.app_slug).toBe(
      'refactor-bot',
    );
  });

  it('is refused when expired, too long-lived, from the future, for another app, or signed otherwise', async () => {
    const nowS = Math.floor(now.getTime() / 1000);
    expect(await get('/app', jwt())).toEqual([200, '']);
    expect(await get('/app', jwt({ claims: { exp: nowS - 1 } }))).toEqual([401, expect.stringContaining("'exp'")]);
    expect(await get('/app', jwt({ claims: { exp: nowS + 700 } }))).toEqual([
      401,
      expect.stringContaining('too far in the future'),
    ]);
    expect(await get('/app', jwt({ claims: { iat: nowS + 60 } }))).toEqual([401, expect.stringContaining("'iat'")]);
    expect(await get('/app', jwt({ claims: { iss: '1' } }))).toEqual([401, 'A JSON web token could not be decoded']);
    expect(await get('/app', jwt({ header: { alg: 'none' } }))).toEqual([401, 'A JSON web token could not be decoded']);
    expect(await get('/app', `${jwt().slice(0, -4)}AAAA`)).toEqual([401, 'A JSON web token could not be decoded']);
    expect(await get('/repos/acme/widgets', jwt())).toEqual([403, 'Resource not accessible by integration']);
  });
});

describe('installation tokens', () => {
  it('last an hour and not a second more', async () => {
    const token = await test.botToken('acme');
    now = new Date(now.getTime() + 59 * 60_000);
    expect(await get('/repos/acme/widgets', token)).toEqual([200, '']);
    now = new Date(now.getTime() + 61_000);
    expect(await get('/repos/acme/widgets', token)).toEqual([401, 'Bad credentials']);
  });

  it('can be revoked', async () => {
    const token = await test.botToken('acme');
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${test.github.url}/api/v3/installation/token`, { method: 'DELETE', headers });
    expect(await get('/repos/acme/widgets', token)).toEqual([401, 'Bad credentials']);
  });

  it('reach no further than the permissions they were narrowed to, and say what is missing', async () => {
    const reader = await test.bot('acme', { permissions: { contents: 'read' } });
    await reader.rest.repos.getContent({ ...repo, path: 'README.md' });
    const writing = reader.rest.issues.create({ ...repo, title: 'No' });
    await expect(writing).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Resource not accessible by integration'),
      response: { headers: { 'x-accepted-github-permissions': 'issues=write' } },
    });
    await expect(reader.rest.issues.listForRepo(repo)).rejects.toMatchObject({ status: 403 });
  });

  it('reach only the repositories they were narrowed to', async () => {
    await test.github.createRepository({ owner: 'acme', name: 'secret', private: true });
    await test.github.createRepository({ owner: 'globex', name: 'foreign' });
    const all = await test.bot('acme');
    expect((await all.rest.apps.listReposAccessibleToInstallation()).data.repositories.map(({ name }) => name)).toEqual(
      ['widgets', 'secret'],
    );
    const narrowed = await test.bot('acme', { repositories: ['widgets'] });
    expect((await narrowed.rest.apps.listReposAccessibleToInstallation()).data.total_count).toBe(1);
    await expect(narrowed.rest.repos.get({ owner: 'acme', repo: 'secret' })).rejects.toMatchObject({ status: 404 });
    await expect(all.rest.issues.create({ owner: 'globex', repo: 'foreign', title: 'No' })).rejects.toMatchObject({
      status: 403,
    });
  });

  it('are refused for what the installation does not have', async () => {
    await expect(test.botToken('acme', { permissions: { administration: 'write' } })).rejects.toMatchObject({
      status: 422,
    });
    await expect(test.botToken('acme', { repositories: ['nowhere'] })).rejects.toMatchObject({ status: 422 });
  });
});

describe('people', () => {
  it('see private repositories only with a role', async () => {
    await test.github.createRepository({ owner: 'acme', name: 'secret', private: true });
    const secret = { owner: 'acme', repo: 'secret' };
    await expect(test.as('rob').rest.repos.get(secret)).rejects.toMatchObject({ status: 404 });
    test.github.grant({ repository: 'acme/secret', login: 'rob', permission: 'read' });
    expect((await test.as('rob').rest.repos.get(secret)).data).toMatchObject({
      private: true,
      permissions: { pull: true, push: false },
    });
    await expect(test.as('rob').rest.issues.createLabel({ ...secret, name: 'x' })).rejects.toMatchObject({
      status: 403,
    });
  });

  it('have a permission that anybody may ask for, collaborator or not', async () => {
    await test.github.createRepository({ owner: 'acme', name: 'secret', private: true });
    test.github.grant({ repository: 'acme/widgets', login: 'tess', permission: 'triage' });
    const bot = await test.bot('acme');
    const level = async (name: string, username: string) => {
      const { data } = await bot.rest.repos.getCollaboratorPermissionLevel({ owner: 'acme', repo: name, username });
      return [data.permission, data.role_name];
    };
    expect(await level('widgets', 'maya')).toEqual(['admin', 'admin']);
    expect(await level('widgets', 'tess')).toEqual(['read', 'triage']);
    expect(await level('widgets', 'rob')).toEqual(['read', 'read']);
    expect(await level('secret', 'rob')).toEqual(['none', 'none']);
    await expect(level('widgets', 'nobody')).rejects.toMatchObject({ status: 404 });
  });

  it('are told to sign in before they write, and that invented tokens are none', async () => {
    expect(await get('/repos/acme/widgets')).toEqual([200, '']);
    expect(await get('/repos/acme/widgets', 'ghp_invented')).toEqual([401, 'Bad credentials']);
    const anonymous = await fetch(`${test.github.url}/api/v3/repos/acme/widgets/issues`, {
      method: 'POST',
      body: '{"title":"x"}',
    });
    expect(anonymous.status).toBe(401);
  });
});
