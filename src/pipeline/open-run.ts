import type { Baseline } from '../domain/verdict.ts';
import type { CommitId, RunId } from '../domain/ids.ts';
import type { MeasurementCache } from './indexing/build-code-index.ts';
import type { Ports } from './ports.ts';
import type { Remote } from '../git/git-repository.ts';
import type { ResultStore } from './verification/verdict-cache.ts';
import type { RunContext } from './run-context.ts';
import type { RunOptions } from '../domain/options.ts';
import type { RunRequest } from '../domain/run.ts';
import type { Steps } from '../engine/durable-step.ts';
import { BotError } from '../domain/errors.ts';
import { fullName } from '../domain/repository.ts';
import { headCommit, type RunView } from '../domain/run-view.ts';
import { prepareCheckout } from './prepare-checkout.ts';
import { readToolchain } from './checkout/read-toolchain.ts';

/** What the run was decided to go by, recorded once: a later change of the configuration is for later runs. */
interface Decided {
  readonly options: RunOptions;
  readonly baseCommit: CommitId;
}

/** Everything the phases share, made again from the ledger and the code host: on this machine for the first time, or after a kill. */
export async function openRun(id: RunId, steps: Steps, ports: Ports): Promise<RunContext> {
  const view = async () => loadView(id, ports);
  const { request } = await view();
  const decided = await steps.run('decide', async () => ({ output: await decide(request, ports) }));
  const workspace = await ports.workspaces.open(id);
  const git = await ports.openRepository(workspace.gitDir);
  const remote = () => remoteOf(request, ports);
  await ensureHistory({
    git,
    remote,
    request,
    view: await view(),
    baseCommit: decided.baseCommit,
    signal: steps.signal,
  });
  const baseTree = await git.treeOf(decided.baseCommit);
  const toolchain = memoize(() => readToolchain({ git, tree: baseTree, options: decided.options }));
  const cache: MeasurementCache = new Map();
  const results = resultsInMemory();
  const context = {
    id,
    request,
    ports,
    steps,
    git,
    workspace,
    environment: ports.environment,
    ...decided,
    baseTree,
    cache,
    results,
    remote,
    view,
  };
  return {
    ...context,
    toolchain,
    baseline: memoize(() => readBaseline(steps, ports)),
    checkout: async (tree) => prepareCheckout({ ...context, tree, toolchain: await toolchain(), signal: steps.signal }),
  };
}

async function loadView(id: RunId, ports: Pick<Ports, 'store'>): Promise<RunView> {
  const view = await ports.store.load(id);
  if (view === null) throw new BotError('invariant-broken', `Run ${id} is not in the ledger.`);
  return view;
}

async function decide(request: RunRequest, ports: Pick<Ports, 'repositories' | 'resolveOptions'>): Promise<Decided> {
  const { repository } = request;
  const baseCommit = await ports.repositories.branchHead(repository, repository.defaultBranch);
  if (baseCommit === null) {
    throw new BotError(
      'repository-empty',
      `${fullName(repository)} has no commit on ${repository.defaultBranch}. Push one, then ask again.`,
    );
  }
  return { options: await ports.resolveOptions(repository), baseCommit };
}

async function remoteOf(request: RunRequest, ports: Pick<Ports, 'repositories' | 'site'>): Promise<Remote> {
  return {
    url: request.repository.cloneUrl,
    ...ports.site.gitHost,
    token: await ports.repositories.cloneToken(request.repository),
  };
}

/** The base and, when batches were kept before, the head of the work branch are in the local repository. */
async function ensureHistory(needs: {
  readonly git: RunContext['git'];
  readonly remote: () => Promise<Remote>;
  readonly request: RunRequest;
  readonly view: RunView;
  readonly baseCommit: CommitId;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { git, request, view, baseCommit, signal } = needs;
  if (!(await git.hasCommit(baseCommit))) {
    await git.fetchBranch(await needs.remote(), request.repository.defaultBranch, signal);
    if (!(await git.hasCommit(baseCommit))) {
      throw new BotError(
        'base-moved',
        `The base ${baseCommit.slice(0, 10)} is no longer part of ${request.repository.defaultBranch}. Ask again to start from its new head.`,
      );
    }
  }
  const head = headCommit(view);
  if (head === null || (await git.hasCommit(head)) || view.branch === null) return;
  await git.fetchBranch(await needs.remote(), view.branch, signal);
  if (!(await git.hasCommit(head))) {
    throw new BotError(
      'branch-moved',
      `The branch ${view.branch} no longer holds ${head.slice(0, 10)}. Nothing was overwritten; ask again for a new run.`,
    );
  }
}

async function readBaseline(steps: Steps, ports: Pick<Ports, 'store'>): Promise<Baseline> {
  const hash = await steps.run<string>('baseline', async () => {
    throw new BotError('invariant-broken', 'The baseline is asked for before it was recorded.');
  });
  const text = await ports.store.getContent(hash);
  if (text === null) throw new BotError('invariant-broken', `The recorded baseline ${hash} is missing.`);
  return JSON.parse(text) as Baseline;
}

function resultsInMemory(): ResultStore {
  const kept = new Map<string, string>();
  return {
    get: async (key) => kept.get(key) ?? null,
    put: async (key, text) => {
      kept.set(key, text);
    },
  };
}

function memoize<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => (made ??= make());
}
