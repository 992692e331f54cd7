import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import {
  addLabel,
  comment,
  merge,
  openIssue,
  openTab,
  readApproval,
  statusComments,
  waitForStatus,
} from './maintainer-in-browser.ts';
import { chromiumProgram, launchChromium, openPage } from './chromium.ts';
import { openDemoSite, type DemoSite } from './demo-site.ts';

// Whole runs on a machine that may have much else to do: a guard against hanging, not a promise.
describe.skipIf(chromiumProgram === null)('a maintainer in a real browser', { timeout: 600_000 }, () => {
  let browser: Browser;
  let site: DemoSite;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    [browser, site] = await Promise.all([launchChromium(), openDemoSite()]);
    page = await openPage(browser);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it('asks for a plan, approves it, reviews the pull request and merges it', async () => {
    await openIssue(page, site.repositoryUrl);
    const approval = await askForPlan();
    const status = await approve(approval);

    await status.getByRole('link', { name: '#2' }).click();
    await page.getByRole('heading', { name: 'refactor: 4 verified batches #2' }).waitFor();
    await lookAtReport();
    await lookAtTabs();
    await merge(page);

    const mergeBox = page.getByRole('region', { name: 'Merge' });
    await mergeBox.getByText('branch has been deleted').waitFor();
    await lookAfterMerge();
    expect(problems).toEqual([]);
  });

  it('starts a run with the label alone, which gives way to one that says how it stands', async () => {
    await openIssue(page, site.repositoryUrl);
    await addLabel(page, 'refactor');
    const labels = page.locator('#labels');
    await labels.getByText('refactor: running', { exact: true }).last().waitFor();
    await statusComments(page).waitFor();
    const timeline = await page.locator('#timeline').innerText();
    expect(timeline).toMatch(/mara\s+added the\s+refactor\s+label/);
    expect(timeline).toMatch(/bot\s+removed the\s+refactor\s+label/);

    await comment(page, '/refactor cancel');
    await waitForStatus(page, 'cancelled');
    expect(problems).toEqual([]);
  });

  /** Answers the approval that the plan asks for. */
  async function askForPlan(): Promise<string> {
    const asked = await comment(page, '/refactor plan');
    await asked.getByRole('button', { name: 'eyes: 1' }).waitFor();
    const status = await waitForStatus(page, 'plan ready, waiting for approval');
    expect(await status.count()).toBe(1);
    const plan = await status.innerText();
    expect(plan).toContain('4 batches planned');
    expect(plan).toContain('move 20 type declarations of quote.ts to quote-types.ts');
    expect(plan).toContain('3 findings left alone');
    return readApproval(status);
  }

  /** Answers the status comment of the run that is ready for review: it changed before the reader's eyes, without a reload. */
  async function approve(approval: string) {
    const said = await comment(page, approval);
    await said.getByRole('button', { name: 'rocket: 1' }).waitFor();
    await page
      .getByText(/at work/)
      .first()
      .waitFor();
    const status = await waitForStatus(page, 'ready for review');
    expect(await status.count()).toBe(1);
    expect(await status.innerText()).toContain('4 of 4 batches kept');
    await page.locator('#labels').getByText('refactor: done', { exact: true }).last().waitFor();
    return status;
  }

  async function lookAtReport(): Promise<void> {
    await page.getByText('Checks and proofs of each commit').click();
    const report = await page.getByRole('article').first().innerText();
    expect(report).toContain('4 of 4 planned batches, one commit each');
    expect(report).toMatch(/lines beyond the line limit, summed over files\s+198\s+107\s+−91/);
    expect(report).toContain('moved-declarations-identical');
    expect(await page.getByText('All checks have passed').isVisible()).toBe(true);
  }

  async function lookAtTabs(): Promise<void> {
    await openTab(page, 'Commits');
    const commits = page.locator('#commits .item');
    await commits.first().waitFor();
    expect(await commits.locator('strong > a.plain').allInnerTexts()).toEqual([
      'refactor(src): remove 1 unused import from postcodes.ts',
      'refactor(src): remove 1 unused declaration from postcodes.ts',
      'refactor(src): remove 2 unused declarations from quote.ts',
      'refactor(src): move 20 type declarations of quote.ts to quote-types.ts',
    ]);
    expect(await commits.filter({ hasText: '1 of 1 checks passed' }).count()).toBe(4);

    await openTab(page, 'Files changed');
    await page.getByText('Showing 3 changed files').waitFor();
    const files = page.locator('details.file');
    expect(await files.locator('summary strong').allInnerTexts()).toEqual([
      'src/postcodes.ts',
      'src/quote-types.ts',
      'src/quote.ts',
    ]);
    expect(await files.first().innerText()).toContain("import { formatMoney } from './money.ts';");

    await openTab(page, 'Checks');
    await page.getByText('4 of 4 batches kept').first().waitFor();
    await openTab(page, 'Conversation');
  }

  async function lookAfterMerge(): Promise<void> {
    await page.goto(`${site.repositoryUrl}/issues/1`);
    const status = await waitForStatus(page, 'accepted');
    expect(await status.innerText()).toContain('Merged in #2.');
    await page.locator('#subject').getByText('Closed', { exact: true }).waitFor();
    await page.goto(`${site.repositoryUrl}/blob/main/src/quote-types.ts`);
    await page.getByText('export interface ShipmentRequest').waitFor();
  }
});
