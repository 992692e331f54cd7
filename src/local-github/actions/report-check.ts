import { authorise } from './authorise.ts';
import { readObject } from '../git/objects.ts';
import type {
  CheckAction,
  CheckAnnotation,
  CheckConclusion,
  CheckRun,
  CheckStatus,
  CheckSuite,
  Repository,
} from '../state/records.ts';
import { refusal } from '../state/refusal.ts';
import type { Actor, Site } from '../state/site.ts';
import { announceCheckRun } from '../webhooks/announce.ts';
import type { Occasion } from '../webhooks/announce.ts';

export interface CheckRunReport {
  readonly name?: string | undefined;
  readonly externalId?: string | undefined;
  readonly detailsUrl?: string | undefined;
  readonly status?: CheckStatus | undefined;
  readonly conclusion?: CheckConclusion | undefined;
  readonly startedAt?: Date | undefined;
  readonly completedAt?: Date | undefined;
  /** Annotations are added to those there are. */
  readonly output?:
    | {
        readonly title?: string | undefined;
        readonly summary: string;
        readonly text?: string | undefined;
        readonly annotations?: readonly CheckAnnotation[] | undefined;
      }
    | undefined;
  readonly actions?: readonly CheckAction[] | undefined;
}

interface NewCheckRun {
  readonly repository: Repository;
  readonly headSha: string;
  readonly report: CheckRunReport & { readonly name: string };
}

const mostAnnotations = 50;
const mostActions = 3;
const longestOutput = 65_535;

/** Starts a check run of the app on a commit. */
export async function createCheckRun(
  site: Site,
  actor: Actor,
  { repository, headSha, report }: NewCheckRun,
): Promise<CheckRun> {
  const { user } = authorise(actor, repository, 'report checks');
  checkLimits(report);
  const commit = /^[\da-f]{40}$/.test(headSha) ? await readObject(repository.directory, headSha) : null;
  if (commit?.type !== 'commit') throw refusal(422, `No commit found for SHA: ${headSha}`);
  const run: CheckRun = {
    id: site.nextId(),
    suite: ensureSuite(site, repository, headSha),
    name: report.name,
    headSha,
    externalId: '',
    detailsUrl: null,
    status: 'queued',
    conclusion: null,
    startedAt: site.now(),
    completedAt: null,
    output: { title: null, summary: null, text: null },
    annotations: [],
    actions: [],
  };
  repository.checkRuns.set(run.id, run);
  applyReport(site, run, report);
  const occasion = { repository, sender: user };
  announceCheckRun(site, occasion, { run, action: 'created' });
  if (run.status === 'completed') announceCheckRun(site, occasion, { run, action: 'completed' });
  return run;
}

interface CheckRunUpdate {
  readonly repository: Repository;
  readonly run: CheckRun;
  readonly report: CheckRunReport;
}

export function updateCheckRun(site: Site, actor: Actor, { repository, run, report }: CheckRunUpdate): CheckRun {
  const { user } = authorise(actor, repository, 'report checks');
  checkLimits(report);
  const wasCompleted = run.status === 'completed';
  applyReport(site, run, report);
  const occasion = { repository, sender: user };
  if (run.status === 'completed' && !wasCompleted) announceCheckRun(site, occasion, { run, action: 'completed' });
  return run;
}

type RunOfRepository = Pick<CheckRunUpdate, 'repository' | 'run'>;

/** Asks the app to run the check again; what becomes of the run is the app's affair. */
export function rerequestCheckRun(site: Site, actor: Actor, { repository, run }: RunOfRepository): void {
  const { user } = authorise(actor, repository, 'rerun checks');
  announceCheckRun(site, { repository, sender: user }, { run, action: 'rerequested' });
}

/** Presses one of the check run's buttons. */
export function requestCheckAction(
  site: Site,
  actor: Actor,
  { repository, run, identifier }: RunOfRepository & { readonly identifier: string },
): void {
  const { user } = authorise(actor, repository, 'rerun checks');
  if (!run.actions.some((action) => action.identifier === identifier)) {
    throw refusal(422, `The check run has no action "${identifier}"`);
  }
  const occasion: Occasion = { repository, sender: user };
  announceCheckRun(site, occasion, { run, action: 'requested_action', extra: { requested_action: { identifier } } });
}

function applyReport(site: Site, run: CheckRun, report: CheckRunReport): void {
  const { name, externalId, detailsUrl, startedAt, output, actions, conclusion } = report;
  // A conclusion alone completes the run; any other status opens it again.
  const status = conclusion === undefined ? (report.status ?? run.status) : 'completed';
  if (status === 'completed' && (conclusion ?? run.conclusion) === null) {
    throw refusal(422, 'Invalid request.\n\n"conclusion" wasn\'t supplied for a completed check run.');
  }
  run.name = name ?? run.name;
  run.externalId = externalId ?? run.externalId;
  run.detailsUrl = detailsUrl ?? run.detailsUrl;
  run.startedAt = startedAt ?? run.startedAt;
  run.status = status;
  run.conclusion = status === 'completed' ? (conclusion ?? run.conclusion) : null;
  run.completedAt = status === 'completed' ? (report.completedAt ?? run.completedAt ?? site.now()) : null;
  if (actions) run.actions = [...actions];
  if (!output) return;
  run.output = { title: output.title ?? null, summary: output.summary, text: output.text ?? null };
  run.annotations.push(...(output.annotations ?? []));
}

function checkLimits({ output, actions = [] }: CheckRunReport): void {
  const annotations = output?.annotations?.length ?? 0;
  if (annotations > mostAnnotations) throw tooMany('output/annotations', mostAnnotations, annotations);
  if (actions.length > mostActions) throw tooMany('actions', mostActions, actions.length);
  for (const action of actions) {
    checkLength('label', action.label, 20);
    checkLength('description', action.description, 40);
    checkLength('identifier', action.identifier, 20);
  }
  checkLength('summary', output?.summary ?? '', longestOutput);
  checkLength('text', output?.text ?? '', longestOutput);
}

function checkLength(field: string, text: string, longest: number): void {
  if (text.length > longest) {
    throw refusal(
      422,
      `Invalid request.\n\nOnly ${longest} characters are allowed in "${field}"; ${text.length} were supplied.`,
    );
  }
}

function tooMany(field: string, most: number, given: number) {
  return refusal(
    422,
    `Invalid request.\n\nNo more than ${most} items are allowed in "${field}"; ${given} were supplied.`,
  );
}

function ensureSuite(site: Site, repository: Repository, headSha: string): CheckSuite {
  const existing = repository.checkSuites.get(headSha);
  if (existing) return existing;
  const suite: CheckSuite = { id: site.nextId(), headSha, createdAt: site.now() };
  repository.checkSuites.set(headSha, suite);
  return suite;
}
