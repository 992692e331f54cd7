/** Makes the pictures of `docs/images` anew from the real thing: `npm run screenshots`. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { comment, openIssue, openTab, readApproval, waitForStatus } from './maintainer-in-browser.ts';
import { launchChromium, openPage } from './chromium.ts';
import { openDemoSite } from './demo-site.ts';

const IMAGES = path.join(import.meta.dirname, '../../docs/images');
/** What fits on a page of documentation beside its text. */
const MAX_HEIGHT = 1200;

await mkdir(IMAGES, { recursive: true });
const site = await openDemoSite();
const browser = await launchChromium();
try {
  const page = await openPage(browser);
  await openIssue(page, site.repositoryUrl);
  await comment(page, '/refactor plan');
  const plan = await waitForStatus(page, 'plan ready, waiting for approval');
  await picture(page, 'plan');

  await comment(page, await readApproval(plan));
  const status = await waitForStatus(page, 'ready for review');
  await status.getByRole('link', { name: '#2' }).click();
  await page.getByText('No conflicts with the base branch').waitFor();
  await picture(page, 'pull-request');
  await openTab(page, 'Files changed');
  await page.getByText('Showing 3 changed files').waitFor();
  await picture(page, 'files-changed');
  await page.getByRole('link', { name: 'Webhook deliveries' }).click();
  await page.getByText('pull_request.opened').waitFor();
  await picture(page, 'deliveries');
} finally {
  await browser.close();
  await site.close();
}

async function picture(page: Page, name: string): Promise<void> {
  // Where the last click left the pointer is no part of the picture.
  await page.mouse.move(0, 0);
  const height = await page.evaluate('document.documentElement.scrollHeight');
  const clip = { x: 0, y: 0, width: 1280, height: Math.min(Number(height), MAX_HEIGHT) };
  const file = path.join(IMAGES, `${name}.png`);
  await page.screenshot({ path: file, fullPage: true, clip, animations: 'disabled', caret: 'hide' });
  process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
}
