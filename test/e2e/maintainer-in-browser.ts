import type { Locator, Page } from 'playwright-core';

// What a person does on the pages of the embedded GitHub, by what is written there. Each answers when its effect is visible.

export async function openIssue(page: Page, repositoryUrl: string): Promise<void> {
  await page.goto(`${repositoryUrl}/issues`);
  await page.getByRole('link', { name: 'New issue' }).click();
  await page.getByLabel('Title').fill('Make this easier to change');
  await page.getByLabel('Description').fill('Long files and dead code slow us down. Find the best things to do.');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: /^Make this easier to change #\d+$/ }).waitFor();
}

/** Answers the comment as it stands in the conversation. */
export async function comment(page: Page, text: string): Promise<Locator> {
  await page.getByLabel('Add a comment').fill(text);
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  const said = page.getByRole('article').filter({ hasText: text }).filter({ hasText: 'mara commented' });
  await said.waitFor();
  return said;
}

/** The bot's one status comment, once its headline is this. */
export async function waitForStatus(page: Page, headline: string): Promise<Locator> {
  await page.getByRole('heading', { name: `Refactoring: ${headline}`, exact: true }).waitFor();
  return statusComments(page);
}

export function statusComments(page: Page): Locator {
  return page.getByRole('article').filter({ has: page.getByRole('heading', { name: /^Refactoring: / }) });
}

/** The command that the status comment tells to write. */
export async function readApproval(status: Locator): Promise<string> {
  const told = status.locator('code', { hasText: /^\/refactor approve \w+$/ });
  return (await told.innerText()).trim();
}

export async function openTab(
  page: Page,
  name: 'Conversation' | 'Commits' | 'Checks' | 'Files changed',
): Promise<void> {
  await page.getByLabel('Pull request', { exact: true }).getByRole('link', { name }).click();
}

export async function addLabel(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Labels' }).click();
  await page.getByRole('button', { name, exact: true }).click();
}

export async function merge(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Merge pull request' }).click();
  await page.getByText('Pull request successfully merged and closed').waitFor();
}
