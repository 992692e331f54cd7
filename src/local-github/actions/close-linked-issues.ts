import { closeIssue } from './update-issue.ts';
import type { Site } from '../state/site.ts';
import type { Occasion } from '../webhooks/announce.ts';

const keyword = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+([\w.-]+\/[\w.-]+)?#(\d+)\b/gi;

/** Closes the issues that a text says it closes, such as `Fixes #3`; those of other repositories are left alone. */
export async function closeIssuesOf(site: Site, occasion: Occasion, text: string): Promise<void> {
  const { issues, fullName } = occasion.repository;
  for (const [, repository = fullName, number] of text.matchAll(keyword)) {
    const issue = issues.get(Number(number));
    const isHere = repository.toLowerCase() === fullName.toLowerCase();
    if (isHere && issue && !issue.pull) await closeIssue(site, occasion, { issue, reason: 'completed' });
  }
}
