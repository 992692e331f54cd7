import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startWeb } from './web-site.ts';
import type { WebSite } from './web-site.ts';

const repository = 'ada/shapes';
let site: WebSite;
let issue: number;

beforeAll(async () => {
  site = await startWeb(repository);
  const opened = await site.rest('POST', '/issues', { title: '<i>Tidy</i> "up"', body: 'Please' });
  issue = opened['number'] as number;
});
afterAll(async () => site.close());

const comments = async () => site.rest('GET', `/issues/${issue}/comments`);

describe('other sites', () => {
  it.each([null, 'null', 'https://evil.test', 'http://127.0.0.1:1', 'http://127.0.0.1.evil.test'])(
    'cannot post forms from %s',
    async (origin) => {
      const fields = { body: '/refactor approve' };
      const response = await site.post(`/${repository}/issues/${issue}/comments`, fields, { origin });
      expect(response.status).toBe(403);
      expect(await comments()).toEqual([]);
    },
  );

  it('cannot read pages by pointing their own name here', async () => {
    expect(await site.statusFor('evil.test')).toBe(421);
    expect(await site.statusFor(site.github.host.replace('127.0.0.1', 'localhost'))).toBe(200);
  });

  it('cannot send a person elsewhere through the switch', async () => {
    for (const target of [
      'https://evil.test/',
      '//evil.test/x',
      '/\\evil.test',
      '/.//evil.test',
      'http://[',
      'javascript:\\\\evil.test',
    ]) {
      const response = await site.post('/login', { login: 'eve', return_to: target });
      expect(new URL(response.headers.get('location') ?? '', site.github.url).origin).toBe(site.github.url);
      expect(response.headers.get('location')).not.toMatch(/^\/[/\\]/u);
    }
  });
});

describe('what people write', () => {
  it('is inert in titles, comments and labels', async () => {
    const evil = '<script>alert(1)</script><img src=x onerror=alert(1)>';
    await site.rest('POST', `/issues/${issue}/labels`, { labels: ['"><script>'] });
    await site.post(`/${repository}/issues/${issue}/comments`, { body: evil }, { as: 'eve' });
    for (const where of [`/${repository}/issues/${issue}`, `/${repository}/issues`]) {
      const page = await site.page(where);
      expect(page).toContain('&lt;i&gt;Tidy&lt;/i&gt; &quot;up&quot;');
      expect(page.match(/<script/gu)).toHaveLength(1);
      expect(page).not.toContain('onerror');
    }
  });

  it('could not run even if it came through: scripts come from here alone', async () => {
    const response = await fetch(`${site.github.url}/${repository}/issues`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/u);
    expect(await response.text()).not.toMatch(/<script(?! src="\/-\/live\.js")/u);
  });
});

describe('people', () => {
  it('are switched by a cookie, and then act as themselves', async () => {
    const response = await site.post('/login', { login: 'eve', return_to: `/${repository}/issues?state=open` });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`/${repository}/issues?state=open`);
    expect(response.headers.get('set-cookie')).toContain('acting_as=eve;');
    expect(await site.page(`/${repository}/issues`, 'eve')).toContain('Acting as eve');
  });

  it('are offered only what they may do, and refused the rest', async () => {
    const own = await site.page(`/${repository}/issues/${issue}`);
    const strangers = await site.page(`/${repository}/issues/${issue}`, 'eve');
    expect(own).toContain('Close issue');
    expect(strangers).not.toContain('Close issue');
    expect(strangers).not.toContain(`/issues/${issue}/labels`);
    const response = await site.post(`/${repository}/issues/${issue}/labels`, { add: 'refactor' }, { as: 'eve' });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('You need triage access');
  });

  it('cannot play the app', async () => {
    const page = await site.page('/', `${site.github.app.slug}[bot]`);
    expect(page).toContain('Acting as ada');
    expect((await site.post('/login', { login: `${site.github.app.slug}[bot]` })).status).toBe(404);
  });
});

describe('pages', () => {
  it('say so when there is nothing', async () => {
    for (const where of ['/nobody', '/ada/none', `/${repository}/issues/99`, `/${repository}/nonsense`, '/%E0%A4%A']) {
      const response = await fetch(site.github.url + where);
      expect(response.status, where).toBe(404);
      expect(response.headers.get('content-type')).toContain('text/html');
    }
    expect(await site.page(`/${repository}`)).toContain('This repository is empty');
  });

  it('refuse forms that are too large, of another type, or blank', async () => {
    const where = `/${repository}/issues/${issue}/comments`;
    expect((await site.post(where, { body: 'x'.repeat(300_000) })).status).toBe(413);
    expect((await site.post(where, { body: ' ' })).status).toBe(422);
    const headers = { origin: site.github.url, 'content-type': 'application/json' };
    const response = await fetch(site.github.url + where, { method: 'POST', body: '{}', headers });
    expect(response.status).toBe(415);
  });

  it('show each delivery, and send it again', async () => {
    await site.github.idle();
    const first = site.github.deliveries().find((delivery) => delivery.event === 'issues');
    const page = await site.page(`/settings/deliveries/${first?.id}`);
    expect(page).toContain(first?.guid);
    expect(page).toContain('issues.opened');
    expect((await site.post(`/settings/deliveries/${first?.id}/redeliver`, {})).status).toBe(303);
    expect(site.github.deliveries().at(-1)).toMatchObject({ guid: first?.guid, redelivery: true });
    expect(await site.page('/settings/deliveries')).toContain('redelivery');
  });
});
