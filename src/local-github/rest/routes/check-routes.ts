import { z } from 'zod';
import { createCheckRun, rerequestCheckRun, updateCheckRun } from '../../actions/report-check.ts';
import type { CheckRunReport } from '../../actions/report-check.ts';
import { resolveCommit } from '../../git/refs.ts';
import { findCheckRun } from '../../state/find-records.ts';
import type { CheckRun } from '../../state/records.ts';
import { refusal } from '../../state/refusal.ts';
import { checkRunView } from '../../views/check-run-view.ts';
import { created, listReply, numberParam, ok, paginate, param, readBody, repositoryRoute } from '../route.ts';
import type { Reply, RepositoryCall, Route } from '../route.ts';

const date = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .optional();
const annotation = z.looseObject({
  path: z.string(),
  start_line: z.number(),
  end_line: z.number(),
  annotation_level: z.enum(['notice', 'warning', 'failure']),
  message: z.string(),
});
const report = z.object({
  name: z.string().optional(),
  external_id: z.string().optional(),
  details_url: z.string().optional(),
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  conclusion: z
    .enum(['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out'])
    .optional(),
  started_at: date,
  completed_at: date,
  output: z
    .object({
      title: z.string().optional(),
      summary: z.string(),
      text: z.string().optional(),
      annotations: z.array(annotation).optional(),
    })
    .optional(),
  actions: z.array(z.object({ label: z.string(), description: z.string(), identifier: z.string() })).optional(),
});
const newCheckRun = report.extend({ name: z.string(), head_sha: z.string() });

export const checkRoutes: readonly Route[] = [
  repositoryRoute('POST', { pattern: '/check-runs' }, async (call) => {
    const { site, actor, repository } = call;
    const body = readBody(call, newCheckRun);
    const input = { repository, headSha: body.head_sha, report: { ...reportOf(body), name: body.name } };
    return created(checkRunView(site, repository, await createCheckRun(site, actor, input)));
  }),
  repositoryRoute('GET', { pattern: '/check-runs/:check_run_id', access: 'see checks' }, (call) =>
    ok(checkRunView(call.site, call.repository, runOf(call))),
  ),
  repositoryRoute('PATCH', { pattern: '/check-runs/:check_run_id' }, (call) => {
    const { site, actor, repository } = call;
    const run = updateCheckRun(site, actor, { repository, run: runOf(call), report: reportOf(readBody(call, report)) });
    return ok(checkRunView(site, repository, run));
  }),
  repositoryRoute('GET', { pattern: '/check-runs/:check_run_id/annotations', access: 'see checks' }, (call) =>
    listReply(call, runOf(call).annotations, (item) => ({ ...blankAnnotation, ...item })),
  ),
  repositoryRoute('POST', { pattern: '/check-runs/:check_run_id/rerequest' }, (call) => {
    const { site, actor, repository } = call;
    rerequestCheckRun(site, actor, { repository, run: runOf(call) });
    return created({});
  }),
  repositoryRoute('GET', { pattern: '/commits/*ref/check-runs', access: 'see checks' }, listForRef),
];

const blankAnnotation = { start_column: null, end_column: null, title: null, raw_details: null, blob_href: '' };

function runOf(call: RepositoryCall): CheckRun {
  return findCheckRun(call.repository, numberParam(call, 'check_run_id'));
}

function reportOf(body: z.infer<typeof report>): CheckRunReport {
  const { name, status, conclusion, output, actions } = body;
  return {
    name,
    status,
    conclusion,
    output,
    actions,
    externalId: body.external_id,
    detailsUrl: body.details_url,
    startedAt: body.started_at,
    completedAt: body.completed_at,
  };
}

/** Newest first; of several runs with one name only the newest, unless `filter=all`. */
async function listForRef(call: RepositoryCall): Promise<Reply> {
  const { site, repository, query } = call;
  const ref = param(call, 'ref');
  const sha = await resolveCommit(repository.directory, ref);
  if (sha === null) throw refusal(422, `No commit found for SHA: ${ref}`);
  const name = query.get('check_name');
  const status = query.get('status');
  const runs = [...repository.checkRuns.values()].toReversed().filter((run) => run.headSha === sha);
  const newest = runs.filter((run, index) => runs.findIndex((other) => other.name === run.name) === index);
  const all = (query.get('filter') === 'all' ? runs : newest).filter(
    (run) => (name === null || run.name === name) && (status === null || run.status === status),
  );
  const { items, headers } = paginate(call, all);
  const checkRuns = items.map((run) => checkRunView(site, repository, run));
  return { status: 200, body: { total_count: all.length, check_runs: checkRuns }, headers };
}
