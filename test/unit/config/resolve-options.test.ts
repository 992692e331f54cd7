import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { RepoConfig } from '../../../src/config/repo-config.ts';
import { repoConfigSchema } from '../../../src/config/repo-config.ts';
import { resolveOptions, type OptionCaps } from '../../../src/config/resolve-options.ts';

const noCaps: OptionCaps = { maxBatches: null, runMinutes: null, checkMinutes: null };

function resolve(layers: { operator?: RepoConfig; repository?: RepoConfig; request?: RepoConfig }, caps = noCaps) {
  return resolveOptions({ operator: {}, repository: {}, request: {}, ...layers }, caps);
}

function sourceOf(resolved: ReturnType<typeof resolve>, key: string) {
  return resolved.resolved.find((option) => option.key === key);
}

test('the defaults are those that the descriptions in the schema name', () => {
  const { options, resolved } = resolve({});
  expect(options).toMatchObject({
    label: 'refactor',
    approval: 'auto',
    baseline: 'strict',
    onBatchFailure: 'skip',
    install: null,
    fastVerifier: null,
    runFullVerifierEvery: 5,
    retryPerBatch: 2,
    maxBatches: 200,
    diffBudgetLines: 900,
    agent: 'auto',
    limits: { fileLines: 400, functionLines: 50, classMethods: 15, runMs: 240 * 60_000, checkMs: 15 * 60_000 },
  });
  expect(new Set(resolved.map((option) => option.source))).toEqual(new Set(['default']));
});

test('a stronger side wins, and each value says whose it is', () => {
  const resolved = resolve({
    operator: { agent: 'mechanical', approval: 'auto', label: 'ops' },
    repository: { label: 'tidy', limits: { file_lines: 300 } },
    request: { approval: 'required' },
  });
  expect(resolved.options).toMatchObject({ agent: 'mechanical', label: 'tidy', approval: 'required' });
  expect(resolved.options.limits).toMatchObject({ fileLines: 300, functionLines: 50 });
  expect(sourceOf(resolved, 'agent')?.source).toBe('operator');
  expect(sourceOf(resolved, 'label')?.source).toBe('repository');
  expect(sourceOf(resolved, 'approval')?.source).toBe('request');
  expect(sourceOf(resolved, 'limits.file_lines')?.source).toBe('repository');
});

test('a value that says no, nothing or zero still decides', () => {
  const resolved = resolve({
    operator: { allow_without_tests: true },
    repository: { allow_without_tests: false, retry_per_batch: 0, operations: [] },
  });
  expect(resolved.options).toMatchObject({ allowWithoutTests: false, retryPerBatch: 0, operations: [] });
});

test("the operator's caps clamp whoever asked for more, and say so", () => {
  const resolved = resolve(
    { repository: { max_batches: 50, limits: { run_minutes: 600, check_minutes: 5 } } },
    { maxBatches: 20, runMinutes: 60, checkMinutes: 10 },
  );
  expect(resolved.options).toMatchObject({ maxBatches: 20, limits: { runMs: 3_600_000, checkMs: 300_000 } });
  expect(sourceOf(resolved, 'max_batches')).toEqual({
    key: 'max_batches',
    value: 20,
    source: 'repository',
    capped: true,
  });
  expect(sourceOf(resolved, 'limits.check_minutes')?.capped).toBe(false);
});

test('every key of the file is resolved', () => {
  const keys = Object.keys(repoConfigSchema.shape).filter((key) => key !== 'limits');
  const limits = Object.keys(repoConfigSchema.shape.limits.unwrap().shape).map((key) => `limits.${key}`);
  expect(resolve({}).resolved.map((option) => option.key)).toEqual([...keys, ...limits]);
});

test('no cap is ever exceeded', () => {
  const minutes = fc.integer({ min: 1, max: 1440 });
  fc.assert(
    fc.property(minutes, minutes, (wanted, cap) => {
      const { options } = resolve({ request: { limits: { run_minutes: wanted } } }, { ...noCaps, runMinutes: cap });
      expect(options.limits.runMs).toBe(Math.min(wanted, cap) * 60_000);
    }),
  );
});
