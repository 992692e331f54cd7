import { sha256, type TreeId } from '../../domain/ids.ts';
import type { Check, CheckResult, Environment } from '../../domain/verdict.ts';

/** Where results are kept: one text per key. */
export interface ResultStore {
  get(key: string): Promise<string | null>;
  put(key: string, text: string): Promise<void>;
}

export interface CheckedTree {
  readonly tree: TreeId;
  readonly checks: readonly Check[];
  readonly environment: Environment;
}

/**
 * The same tree is not checked twice with the same commands in the same environment. What is kept are the results, which the
 * tree alone decides; the verdict on them also depends on the baseline. A run that did not come to its end (timed out, or
 * stopped at a failure) is no property of the tree and is not kept.
 */
export async function checkOnce(
  checked: CheckedTree,
  store: ResultStore,
  check: () => Promise<readonly CheckResult[]>,
): Promise<readonly CheckResult[]> {
  const key = resultKey(checked);
  const kept = await store.get(key);
  if (kept !== null) return JSON.parse(kept) as readonly CheckResult[];
  const results = await check();
  const ended = results.every((result) => result.outcome === 'passed' || result.outcome === 'failed');
  if (ended) await store.put(key, JSON.stringify(results));
  return results;
}

/**
 * Checks whose results may be kept apart. What follows a build may read what it built, and that lies in the checkout, not in the
 * kept result: so a build stays together with everything after it, and all of them are run again or none.
 */
export function groupChecks(checks: readonly Check[]): readonly (readonly Check[])[] {
  const firstBuild = checks.findIndex((check) => check.kind === 'build');
  if (firstBuild === -1) return checks.map((check) => [check]);
  return [...checks.slice(0, firstBuild).map((check) => [check]), checks.slice(firstBuild)];
}

export function resultKey({ tree, checks, environment }: CheckedTree): string {
  const variables = Object.entries(environment.variables).sort(([a], [b]) => (a < b ? -1 : 1));
  const commands = checks.map((check) => [check.kind, check.command, check.report, check.reportingCommand ?? '']);
  return sha256(JSON.stringify([tree, commands, variables, environment.toolchain, environment.sandbox]));
}
