import type { CheckRun, Repository } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { icon } from './icon.ts';

/** The latest run of each name on a commit: a repeated one replaces the older, as on GitHub. */
export function checksOf(repository: Repository, sha: string): CheckRun[] {
  const runs = [...repository.checkRuns.values()].filter((run) => run.headSha === sha);
  return [...new Map(runs.map((run) => [run.name, run])).values()];
}

export type CheckSummary = 'none' | 'waiting' | 'bad' | 'good';

export function summarise(runs: readonly CheckRun[]): CheckSummary {
  if (runs.length === 0) return 'none';
  const tones = runs.map(tone);
  return tones.includes('bad') ? 'bad' : tones.includes('waiting') ? 'waiting' : 'good';
}

function tone({ status, conclusion }: CheckRun): 'waiting' | 'bad' | 'good' | 'quiet' {
  if (status !== 'completed') return 'waiting';
  if (conclusion === 'success') return 'good';
  return conclusion === 'neutral' || conclusion === 'skipped' ? 'quiet' : 'bad';
}

const symbols = { waiting: 'waiting', bad: 'cross', good: 'check', quiet: 'skip' } as const;

export function checkIcon(run: CheckRun): Html {
  const its = tone(run);
  const name = run.conclusion ?? run.status;
  return html`<span class="is-${its}" title="${name.replace('_', ' ')}"
    >${icon(symbols[its], its === 'waiting' ? 'spin' : '')}<span class="visually-hidden">${name}</span></span
  >`;
}

/** The one mark beside a commit; nothing where no check ran. */
export function checkMark(repository: Repository, sha: string): Html | null {
  const runs = checksOf(repository, sha);
  const summary = summarise(runs);
  if (summary === 'none') return null;
  const text = `${runs.filter((run) => run.conclusion === 'success').length} of ${runs.length} checks passed`;
  return html`<span class="is-${summary}" title="${text}"
    >${icon(symbols[summary])}<span class="visually-hidden">${text}</span></span
  >`;
}
