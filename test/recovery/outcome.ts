import type { LedgerRecord } from '../../src/domain/ledger.ts';
import { foldRun } from '../../src/domain/run-view.ts';
import type { World } from '../support/world.ts';

/** All that is left of a finished run where others can see it, without times and ids that differ from run to run. */
export interface Outcome {
  readonly ledger: readonly unknown[];
  readonly refs: unknown;
  readonly commits: unknown;
  readonly mainTree: string;
  readonly issues: unknown;
  readonly comments: unknown;
  readonly pulls: unknown;
  readonly checkRuns: unknown;
}

interface Person {
  readonly login: string;
}
interface Issue {
  readonly number: number;
  readonly state: string;
  readonly labels: readonly { readonly name: string }[];
}
interface Comment {
  readonly body: string;
  readonly user: Person;
}
interface Pull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
  readonly merged_at: string | null;
  readonly head: { readonly ref: string; readonly sha: string };
}
interface CheckRun {
  readonly name: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly output: { readonly title: string; readonly summary: string };
}

export async function readOutcome(world: World, ledger: readonly LedgerRecord[]): Promise<Outcome> {
  const issues = await world.rest<Issue[]>('GET', 'issues?state=all&per_page=100');
  const pulls = await world.rest<Pull[]>('GET', 'pulls?state=all&per_page=100');
  const commits = (await world.git('rev-list', '--reverse', '--topo-order', 'main')).split('\n');
  const comments = [];
  for (const { number } of issues) {
    const said = await world.rest<Comment[]>('GET', `issues/${number}/comments?per_page=100`);
    comments.push({ number, said: said.map(({ body, user }) => ({ body, by: user.login })) });
  }
  const checkRuns = [];
  for (const commit of commits) {
    const { check_runs: runs } = await world.rest<{ check_runs: CheckRun[] }>('GET', `commits/${commit}/check-runs`);
    checkRuns.push({
      commit,
      runs: runs.map(({ name, status, conclusion, output: { title, summary } }) => ({
        name,
        status,
        conclusion,
        title,
        summary,
      })),
    });
  }
  const raw: Outcome = {
    ledger: ledger.map(({ seq, version, event }) => ({ seq, version, event })),
    refs: await world.git('for-each-ref', '--format=%(refname) %(objectname)'),
    commits: await world.git('log', '--topo-order', '--format=%T %P%n%an <%ae>%n%B', 'main'),
    mainTree: await world.git('rev-parse', 'main^{tree}'),
    issues: issues.map(({ number, state, labels }) => ({
      number,
      state,
      labels: labels.map(({ name }) => name).sort(),
    })),
    comments,
    pulls: pulls.map(({ number, title, body, state, merged_at: merged, head }) => ({
      number,
      title,
      body,
      state,
      merged: merged !== null,
      branch: head.ref,
      head: head.sha,
    })),
    checkRuns,
  };
  return JSON.parse(withoutAccidents(JSON.stringify(raw), { world, commits, run: foldRun(ledger).id })) as Outcome;
}

function withoutAccidents(
  text: string,
  known: { readonly world: World; readonly commits: readonly string[]; readonly run: string },
): string {
  let result = text
    .replaceAll(known.run, '<run>')
    .replaceAll(known.world.folder, '<folder>')
    .replaceAll(known.world.github.host, '<host>');
  for (const [index, commit] of known.commits.entries()) {
    result = result.replaceAll(commit, `<commit ${index}>`).replaceAll(commit.slice(0, 10), `<commit ${index}>`);
  }
  return result
    .replaceAll(/"requestedAt":"[^"]*"/g, '"requestedAt":"<time>"')
    .replaceAll(/"(durationMs|backupBytes)":[\d.]+/g, '"$1":0')
    .replaceAll(/\b(\d+ h )?(\d+ min )?\d+(\.\d+)? (s|min)\b/g, '<duration>');
}
