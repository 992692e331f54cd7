import { z } from 'zod';
import { addLabels, createLabel, removeLabel, setLabels } from '../../actions/change-labels.ts';
import { findIssue } from '../../state/find-records.ts';
import type { Label } from '../../state/records.ts';
import { notFound } from '../../state/refusal.ts';
import { labelView } from '../../views/issue-view.ts';
import { created, listReply, noContent, numberParam, ok, param, readBody, repositoryRoute } from '../route.ts';
import type { Reply, RepositoryCall, Route } from '../route.ts';

const newLabel = z.object({ name: z.string(), color: z.string().optional(), description: z.string().optional() });
const labelName = z.union([z.string(), z.object({ name: z.string() }).transform((label) => label.name)]);
/** GitHub takes a bare list as well. */
const labelNames = z.union([
  z.object({ labels: z.array(labelName).default([]) }).transform((body) => body.labels),
  z.array(labelName),
]);

export const labelRoutes: readonly Route[] = [
  repositoryRoute('GET', { pattern: '/labels', access: 'see issues' }, (call) =>
    listReply(call, [...call.repository.labels.values()], (label) => labelView(call.site, call.repository, label)),
  ),
  repositoryRoute('POST', { pattern: '/labels' }, (call) => {
    const { site, actor, repository } = call;
    return created(labelView(site, repository, createLabel(site, actor, { repository, ...readBody(call, newLabel) })));
  }),
  repositoryRoute('GET', { pattern: '/labels/:name', access: 'see issues' }, (call) => {
    const label = call.repository.labels.get(param(call, 'name').toLowerCase());
    if (!label) throw notFound();
    return ok(labelView(call.site, call.repository, label));
  }),
  repositoryRoute('GET', { pattern: '/issues/:issue_number/labels', access: 'see issues' }, (call) =>
    listReply(call, issueOf(call).labels, (label) => labelView(call.site, call.repository, label)),
  ),
  repositoryRoute('POST', { pattern: '/issues/:issue_number/labels' }, async (call) => {
    const { site, actor, repository } = call;
    const names = readBody(call, labelNames);
    return labelsReply(call, await addLabels(site, actor, { repository, issue: issueOf(call), names }));
  }),
  repositoryRoute('PUT', { pattern: '/issues/:issue_number/labels' }, async (call) => {
    const { site, actor, repository } = call;
    const names = readBody(call, labelNames);
    return labelsReply(call, await setLabels(site, actor, { repository, issue: issueOf(call), names }));
  }),
  repositoryRoute('DELETE', { pattern: '/issues/:issue_number/labels' }, async (call) => {
    const { site, actor, repository } = call;
    await setLabels(site, actor, { repository, issue: issueOf(call), names: [] });
    return noContent;
  }),
  repositoryRoute('DELETE', { pattern: '/issues/:issue_number/labels/:name' }, async (call) => {
    const { site, actor, repository } = call;
    return labelsReply(
      call,
      await removeLabel(site, actor, { repository, issue: issueOf(call), name: param(call, 'name') }),
    );
  }),
];

function issueOf(call: RepositoryCall) {
  return findIssue(call.repository, numberParam(call, 'issue_number'));
}

function labelsReply({ site, repository }: RepositoryCall, labels: readonly Label[]): Reply {
  return ok(labels.map((label) => labelView(site, repository, label)));
}
