import { expect, it } from 'vitest';
import { toTreeId } from '../../../../src/domain/ids.ts';
import type { Check, CheckResult } from '../../../../src/domain/verdict.ts';
import { checkOnce, groupChecks, resultKey } from '../../../../src/pipeline/verification/verdict-cache.ts';

const CHECK: Check = { kind: 'unit', command: 'npm test', source: 'detected', report: 'exit-code' };
const CHECKED = {
  tree: toTreeId('a'.repeat(40)),
  checks: [CHECK],
  environment: { variables: { A: '1', B: '2' }, toolchain: 'node 24', sandbox: 'bubblewrap' },
};

function result(outcome: CheckResult['outcome']): CheckResult {
  return { check: CHECK, outcome, exitCode: 0, durationMs: 1, outputTail: '', tests: null, suiteErrors: [] };
}

async function runsOf(outcome: CheckResult['outcome']): Promise<number> {
  const kept = new Map<string, string>();
  const store = {
    get: async (key: string) => kept.get(key) ?? null,
    put: async (key: string, text: string) => void kept.set(key, text),
  };
  let runs = 0;
  const check = async () => {
    runs += 1;
    return [result(outcome)];
  };
  await checkOnce(CHECKED, store, check);
  expect(await checkOnce(CHECKED, store, check)).toEqual([result(outcome)]);
  return runs;
}

it('checks the same tree once, unless the run did not come to its end', async () => {
  expect(await runsOf('passed')).toBe(1);
  expect(await runsOf('failed')).toBe(1);
  expect(await runsOf('timed-out')).toBe(2);
  expect(await runsOf('not-run')).toBe(2);
});

it('tells apart what may change the outcome, and nothing else', () => {
  const { environment } = CHECKED;
  const key = resultKey(CHECKED);
  expect(resultKey({ ...CHECKED, environment: { ...environment, variables: { B: '2', A: '1' } } })).toBe(key);
  const others = [
    { ...CHECKED, tree: toTreeId('b'.repeat(40)) },
    { ...CHECKED, checks: [{ ...CHECK, command: 'npm t' }] },
    { ...CHECKED, environment: { ...environment, variables: { A: '1' } } },
    { ...CHECKED, environment: { ...environment, toolchain: 'node 22' } },
    { ...CHECKED, environment: { ...environment, sandbox: 'unsandboxed' } },
  ];
  expect(new Set([key, ...others.map(resultKey)]).size).toBe(6);
});

it('keeps a build together with what may read what it built', () => {
  const build: Check = { ...CHECK, kind: 'build', command: 'npm run build' };
  const lint: Check = { ...CHECK, kind: 'lint', command: 'npm run lint' };
  expect(groupChecks([build, CHECK, lint])).toEqual([[build, CHECK, lint]]);
  expect(groupChecks([CHECK, lint, build])).toEqual([[CHECK], [lint], [build]]);
  expect(groupChecks([])).toEqual([]);
});
