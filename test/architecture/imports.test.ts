import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { describe, expect, it } from 'vitest';
import { IMPORT_RULES } from './import-rules.ts';

async function sourceFiles(): Promise<string[]> {
  const entries = await readdir('src', { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.posix.join(entry.parentPath.replaceAll(path.sep, '/'), entry.name))
    .filter((file) => !file.startsWith('src/cli/demo/sample/'));
}

async function cruiseSources(forbidden: unknown[] = IMPORT_RULES.forbidden): Promise<ICruiseResult> {
  const options = { ruleSet: { forbidden }, validate: true, ...IMPORT_RULES.options } as unknown as ICruiseOptions;
  const result = await cruise(['src'], options, undefined, { tsConfig: extractTSConfig('tsconfig.json') });
  return result.output as ICruiseResult;
}

describe('import directions', () => {
  it('hold for every file of src, type imports included', async () => {
    const result = await cruiseSources();
    const cruised = result.modules.filter(
      (module) => module.source.startsWith('src/') && module.source.endsWith('.ts'),
    );

    expect(cruised.map((module) => module.source).toSorted()).toEqual((await sourceFiles()).toSorted());
    expect(
      result.summary.violations.map((violation) => `${violation.rule.name}: ${violation.from} → ${violation.to}`),
    ).toEqual([]);
  });

  it('are really checked: a rule that forbids what is there is violated', async () => {
    const result = await cruiseSources([
      { name: 'probe', severity: 'error', from: { path: '^src/pipeline/' }, to: { path: '^src/domain/' } },
    ]);
    expect(result.summary.violations.length).toBeGreaterThan(10);
  });
});
