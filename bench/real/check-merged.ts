import { buildCodeIndex } from '../../src/pipeline/indexing/build-code-index.ts';
import { checkLimits } from '../../src/pipeline/verification/sandbox-limits.ts';
import { FIGURE_NAMES, type FigureName, type Figures } from '../../src/domain/figures.ts';
import { importRemoteRepository } from '../../src/git/import-local-repository.ts';
import { judge } from '../../src/pipeline/verification/judge.ts';
import { openGitRepository } from '../../src/git/open-git-repository.ts';
import { prepareCheckout } from '../../src/pipeline/prepare-checkout.ts';
import { readToolchain } from '../../src/pipeline/checkout/read-toolchain.ts';
import { runChecks } from '../../src/pipeline/verification/run-checks.ts';
import { runIdFor, type TreeId } from '../../src/domain/ids.ts';
import { BotError } from '../../src/domain/errors.ts';
import type { Baseline, CheckResult } from '../../src/domain/verdict.ts';
import type { Bot } from '../../src/start-bot.ts';
import type { DemoWorld } from '../../src/cli/demo/demo-world.ts';
import type { GitRepository } from '../../src/git/git-repository.ts';
import type { RunOptions } from '../../src/domain/options.ts';
import type { RunView } from '../../src/domain/run-view.ts';
import type { Workspace } from '../../src/domain/workspace.ts';

/** The merged default branch, from a fresh clone with freshly installed dependencies, beside the commit the run started from. */
export interface MergedCheck {
  readonly before: Figures;
  readonly after: Figures;
  /** Figures that kept batches promised to lower and that did not fall. */
  readonly notLower: readonly FigureName[];
  /** Figures that rose, whoever promised what. */
  readonly higher: readonly FigureName[];
  readonly testsBefore: number;
  readonly testsAfter: number;
  /** What the untouched commit passed and the merged one does not, and commands that fail now; empty when all is as before. */
  readonly problems: readonly string[];
}

interface Fresh {
  readonly git: GitRepository;
  readonly workspace: Workspace;
  readonly tree: TreeId;
  readonly baseTree: TreeId;
}

/** Nothing of the run is used but the results of its baseline: the clone, the index and the installation are made again. */
export async function checkMerged(world: DemoWorld, bot: Bot, view: RunView): Promise<MergedCheck> {
  const { ports } = bot.composed;
  const options = await ports.resolveOptions(view.request.repository);
  const fresh = await cloneAgain(world, bot, view);
  const measure = async (tree: TreeId) =>
    (await buildCodeIndex({ git: fresh.git, tree, limits: options.limits, churn: {}, cache: new Map() })).figures;
  const [before, after] = [await measure(fresh.baseTree), await measure(fresh.tree)];
  const promised = new Set(view.batches.flatMap((entry) => (entry.status === 'kept' ? entry.batch.improves : [])));
  const baseline = await readBaseline(bot, view);
  const results = await checkAgain(bot, { fresh, baseline, options });
  const verdict = judge(baseline, { tree: fresh.tree, level: 'full', results });
  return {
    before,
    after,
    notLower: FIGURE_NAMES.filter((name) => promised.has(name) && after[name] >= before[name]),
    higher: FIGURE_NAMES.filter((name) => after[name] > before[name]),
    testsBefore: passedTests(baseline.full),
    testsAfter: passedTests(results),
    problems: verdict.problems.map((problem) => `${problem.check}: ${problem.subject} ${problem.message}`),
  };
}

async function cloneAgain(world: DemoWorld, bot: Bot, view: RunView): Promise<Fresh> {
  const { ports } = bot.composed;
  const workspace = await ports.workspaces.open(runIdFor('a fresh clone of what was merged', ports.clock.now()));
  const git = await openGitRepository(workspace.gitDir);
  const address = new URL(`${world.github.url}/${world.owner}/${world.seed.name}.git`);
  const { head } = await importRemoteRepository(address, workspace.gitDir);
  if (head === null || view.baseCommit === null) throw new BotError('invariant-broken', 'Nothing was merged.');
  return { git, workspace, tree: await git.treeOf(head), baseTree: await git.treeOf(view.baseCommit) };
}

async function checkAgain(
  bot: Bot,
  given: { readonly fresh: Fresh; readonly baseline: Baseline; readonly options: RunOptions },
): Promise<readonly CheckResult[]> {
  const { ports } = bot.composed;
  const { git, workspace, tree } = given.fresh;
  const { signal } = new AbortController();
  const toolchain = await readToolchain({ git, tree, options: given.options });
  const environment = await prepareCheckout({
    tree,
    baseTree: tree,
    workspace,
    environment: ports.environment,
    toolchain,
    ports,
    signal,
  });
  return runChecks({
    sandbox: ports.sandbox,
    workspace,
    checks: given.baseline.full.map((result) => result.check),
    environment,
    limits: checkLimits(given.options.limits.checkMs),
    stopAtFailure: false,
    signal,
  });
}

async function readBaseline(bot: Bot, view: RunView): Promise<Baseline> {
  const { engineStore } = bot.composed.engine;
  const step = await engineStore.readStep(view.id, 'baseline');
  const text = typeof step?.output === 'string' ? await bot.composed.ports.store.getContent(step.output) : null;
  if (text === null) throw new BotError('invariant-broken', `Run ${view.id} has no recorded baseline.`);
  return JSON.parse(text) as Baseline;
}

function passedTests(results: readonly CheckResult[]): number {
  const ids = results.flatMap((result) => (result.tests ?? []).filter((test) => test.outcome === 'passed'));
  return new Set(ids.map((test) => test.id)).size;
}
