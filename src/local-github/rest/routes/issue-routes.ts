import { z } from 'zod';
import { createIssue } from '../../actions/create-issue.ts';
import { updateIssue } from '../../actions/update-issue.ts';
import { findIssue } from '../../state/find-records.ts';
import type { Issue } from '../../state/records.ts';
import { issueView } from '../../views/issue-view.ts';
import { created, listReply, numberParam, ok, readBody, repositoryRoute } from '../route.ts';
import type { Reply, RepositoryCall, Route } from '../route.ts';
import { byCreation } from '../sort-records.ts';

const labelName = z.union([z.string(), z.object({ name: z.string() }).transform((label) => label.name)]);
const title = z.union([z.string(), z.number()]).transform(String);

const newIssue = z.object({ title, body: z.string().nullish(), labels: z.array(labelName).optional() });
const issueUpdate = z.object({
  title: title.optional(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  state_reason: z.enum(['completed', 'not_planned', 'reopened', 'duplicate']).nullish(),
  labels: z.array(labelName).optional(),
});

export const issueRoutes: readonly Route[] = [
  repositoryRoute('GET', { pattern: '/issues', access: 'see issues' }, listIssues),
  repositoryRoute('POST', { pattern: '/issues' }, async (call) => {
    const { site, actor, repository } = call;
    const issue = await createIssue(site, actor, { repository, ...readBody(call, newIssue) });
    return created(issueView(site, repository, issue));
  }),
  repositoryRoute('GET', { pattern: '/issues/:issue_number', access: 'see issues' }, (call) => {
    const issue = findIssue(call.repository, numberParam(call, 'issue_number'));
    return ok(issueView(call.site, call.repository, issue));
  }),
  repositoryRoute('PATCH', { pattern: '/issues/:issue_number' }, async (call) => {
    const { site, actor, repository } = call;
    const { state_reason: stateReason, ...update } = readBody(call, issueUpdate);
    const issue = findIssue(repository, numberParam(call, 'issue_number'));
    await updateIssue(site, actor, { repository, issue, stateReason, ...update });
    return ok(issueView(site, repository, issue));
  }),
];

function listIssues(call: RepositoryCall): Reply {
  const { site, repository, query } = call;
  const state = query.get('state') ?? 'open';
  const labels = (query.get('labels') ?? '').toLowerCase().split(',').filter(Boolean);
  const creator = query.get('creator')?.toLowerCase();
  const since = new Date(query.get('since') ?? 0);
  const matches = (issue: Issue) =>
    (state === 'all' || issue.state === state) &&
    labels.every((name) => issue.labels.some((label) => label.name.toLowerCase() === name)) &&
    (creator === undefined || issue.author.login.toLowerCase() === creator) &&
    issue.updatedAt >= since;
  const issues = byCreation([...repository.issues.values()].filter(matches), query);
  return listReply(call, issues, (issue) => issueView(site, repository, issue));
}
