import { existsSync } from 'node:fs';

import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startWeb } from './web-site.ts';
import type { WebSite } from './web-site.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const repository = 'ada/shapes';

// What a person has open is only seen in a browser; where there is none the forms are still tested beside this.
describe.skipIf(!existsSync(executablePath))('an open page', () => {
  let site: WebSite;
  let browser: Browser;
  let page: Page;
  let issue: string;

  beforeAll(async () => {
    site = await startWeb(repository);
    const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
    const args = ['--no-sandbox', '--disable-component-update', '--disable-sync', ...quiet];
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  beforeEach(async () => {
    const { number } = await site.rest('POST', '/issues', { title: 'Tidy up', body: 'Please' });
    issue = `/issues/${String(number)}`;
    await page?.close();
    page = await browser.newPage();
    page.on('pageerror', (error) => expect.unreachable(error.message));
    await page.goto(`${site.github.url}/${repository}${issue}`);
  });

  it('shows an edited comment, a label and a closing without being reloaded', async () => {
    const comment = await site.rest('POST', `${issue}/comments`, { body: 'Running: 1 of 3' });
    await page.getByText('Running: 1 of 3').waitFor();
    await site.rest('PATCH', `/issues/comments/${String(comment['id'])}`, { body: 'Done: 3 of 3' });
    await page.getByText('Done: 3 of 3').waitFor();
    expect(await page.getByText('Running: 1 of 3').count()).toBe(0);
    await site.rest('POST', `${issue}/labels`, { labels: ['refactor'] });
    await page.getByText('added the refactor label').waitFor();
    await site.rest('PATCH', issue, { state: 'closed' });
    await page.getByRole('button', { name: 'Reopen issue' }).waitFor();
  });

  it('keeps what the reader typed and unfolded', async () => {
    const body = '<details><summary>Log</summary>\n\nall the lines\n</details>';
    await site.rest('POST', `${issue}/comments`, { body });
    await page.getByText('Log', { exact: true }).click();
    await page.getByLabel('Add a comment').fill('half a thought');
    await site.rest('POST', `${issue}/comments`, { body: 'Something new' });
    await page.getByText('Something new').waitFor();
    expect(await page.getByText('all the lines').isVisible()).toBe(true);
    expect(await page.getByLabel('Add a comment').inputValue()).toBe('half a thought');
  });

  it('lets a person label, comment and close with what a screen reader names', async () => {
    await page.getByRole('button', { name: 'Labels' }).click();
    await page.getByLabel('New label').fill('urgent');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Add a comment').fill('**Thanks**');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByText('Thanks').waitFor();
    await page.getByRole('button', { name: 'Close issue' }).click();
    await page.getByRole('button', { name: 'Reopen issue' }).waitFor();
    expect(await site.rest('GET', issue)).toMatchObject({ state: 'closed', comments: 1, labels: [{ name: 'urgent' }] });
  });
});
