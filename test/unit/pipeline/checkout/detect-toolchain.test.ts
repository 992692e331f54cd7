import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectToolchain, TOOLCHAIN_FILES } from '../../../../src/pipeline/checkout/detect-toolchain.ts';

const NOTHING_CONFIGURED = { install: null, fastVerifier: null, fullVerifier: null };

function detect(files: Record<string, string>, options = {}) {
  return detectToolchain(new Map(Object.entries(files)), { ...NOTHING_CONFIGURED, ...options });
}

function manifest(fields: object): string {
  return JSON.stringify(fields);
}

describe('the package manager', () => {
  it.each([
    ['pnpm@9.1.0+sha512.abc', 'pnpm', '9.1.0'],
    ['yarn@1.22.19', 'yarn', '1.22.19'],
    ['yarn@4.5.3', 'yarn-berry', '4.5.3'],
    ['npm@10.2.0', 'npm', 'bundled'],
  ])('is the one named by packageManager: %s', (packageManager, name, version) => {
    const { packageManager: found } = detect({ 'package.json': manifest({ packageManager }), 'yarn.lock': '# yarn' });
    expect(found).toEqual({ name, version, source: 'packageManager field' });
  });

  it.each([
    ["lockfileVersion: '9.0'\n", '9'],
    ["lockfileVersion: '6.0'\n", '8'],
    ['lockfileVersion: 5.4\n', '7'],
    ['lockfileVersion: 5.3\n', '6'],
  ])('is the pnpm that wrote the lock file: %s', (lock, version) => {
    const { packageManager: found } = detect({ 'package.json': '{}', 'pnpm-lock.yaml': lock });
    expect(found).toEqual({ name: 'pnpm', version, source: 'lock file' });
  });

  it('is pnpm 10 when the workspace file holds settings, which only 10 reads', () => {
    const files = { 'package.json': '{}', 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" };
    const settings = 'packages: [a]\noverrides:\n  x: 1.0.0\n';
    expect(detect({ ...files, 'pnpm-workspace.yaml': settings }).packageManager?.version).toBe('10');
    expect(detect({ ...files, 'pnpm-workspace.yaml': 'packages: [a]\n' }).packageManager?.version).toBe('9');
    expect(detect({ ...files, 'pnpm-workspace.yaml': ': [' }).packageManager?.version).toBe('9');
  });

  it('tells the yarns apart by their lock files', () => {
    const berry = '# generated\n\n__metadata:\n  version: 6\n  cacheKey: 8\n';
    const version = (lock: string, rc = '') =>
      detect({ 'package.json': '{}', 'yarn.lock': lock, ...(rc && { '.yarnrc.yml': rc }) }).packageManager;
    expect(version('# yarn lockfile v1\n')).toMatchObject({ name: 'yarn', version: '1.22.22' });
    expect(version(berry)).toMatchObject({ name: 'yarn-berry', version: '3' });
    expect(version(berry.replace('6', '8'))).toMatchObject({ name: 'yarn-berry', version: '4' });
    expect(version(berry, 'yarnPath: .yarn/releases/yarn-3.2.1.cjs\n')).toMatchObject({
      version: '3.2.1',
      source: 'yarnPath setting',
    });
  });

  it('never puts a version into a command that is more than a version', () => {
    const toolchain = detect({ 'package.json': manifest({ packageManager: 'pnpm@9; curl evil' }), 'yarn.lock': '#' });
    expect(toolchain.packageManager?.name).toBe('yarn');
    expect(JSON.stringify(toolchain)).not.toContain('curl');
  });
});

describe('installation', () => {
  it('is frozen, with scripts off', () => {
    const install = (files: Record<string, string>) => detect({ 'package.json': '{}', ...files }).install;
    expect(install({ 'package-lock.json': '{}' })).toEqual(['npm ci --ignore-scripts --no-audit --no-fund']);
    expect(install({})).toEqual(['npm install --no-package-lock --ignore-scripts --no-audit --no-fund']);
    expect(install({ 'pnpm-lock.yaml': '' })).toEqual(['pnpm install --frozen-lockfile --ignore-scripts']);
    expect(install({ 'yarn.lock': '' })[0]).toContain('--frozen-lockfile --ignore-scripts');
    expect(install({ 'yarn.lock': '__metadata:\n  version: 8\n' })).toEqual([
      'yarn install --immutable --mode=skip-build',
    ]);
  });

  it('is what the repository configured', () => {
    expect(detect({ 'package.json': '{}' }, { install: ['make deps'] }).install).toEqual(['make deps']);
  });
});

describe('checks', () => {
  const checks = (scripts: object, more: object = {}, files: Record<string, string> = {}) =>
    detect({ 'package.json': manifest({ scripts, ...more }), ...files }).checks;

  it('prefer a test script whose runner names its tests to a better name', () => {
    const scripts = { test: 'pnpm run "/^test:.*/"', 'test:spec': 'vitest run' };
    const { checks } = detect({ 'package.json': manifest({ packageManager: 'pnpm@9.1.0', scripts }) });
    expect(checks.fast).toMatchObject([{ kind: 'unit', command: 'pnpm run test:spec', report: 'vitest' }]);
    const { checks: unnamed } = detect({ 'package.json': manifest({ scripts: { test: 'tap', tests: 'ava' } }) });
    expect(unnamed.fast).toMatchObject([{ kind: 'unit', command: 'npm test', report: 'exit-code' }]);
  });

  it('are unit and lint, then type check and build', () => {
    const found = checks({ test: 'vitest', lint: 'eslint .', typecheck: 'tsc', build: 'tsup' });
    expect(found.fast.map(({ kind, command }) => [kind, command])).toEqual([
      ['unit', 'npm test'],
      ['lint', 'npm run lint'],
    ]);
    expect(found.full.map(({ kind, command }) => [kind, command])).toEqual([
      ['unit', 'npm test'],
      ['lint', 'npm run lint'],
      ['typecheck', 'npm run typecheck'],
      ['build', 'npm run build'],
    ]);
  });

  it('refuse placeholders, watchers, browsers and scripts that change files, and say so', () => {
    const found = detect({
      'package.json': manifest({
        scripts: {
          test: 'echo "Error: no test specified" && exit 1',
          'test:unit': 'jest --watch',
          'test:ci': 'playwright test',
          'test:node': 'node --test',
          lint: 'eslint --fix .',
          'lint:ci': 'eslint .',
          build: 'tsc --watch',
        },
      }),
    });
    expect(found.checks.fast.map((check) => check.command)).toEqual(['npm run test:node', 'npm run lint:ci']);
    expect(found.checks.full.map((check) => check.kind)).not.toContain('build');
    expect(found.notes).toHaveLength(5);
    expect(found.notes[0]).toBe(
      'The script "test:unit" is not used as unit check: it watches for changes and does not end.',
    );
  });

  it('have a type check of their own where TypeScript is there without a script for it', () => {
    const typescript = { devDependencies: { typescript: '5' } };
    const config = { 'tsconfig.json': '{}' };
    const command = (files: Record<string, string>) =>
      checks({ test: 'jest' }, typescript, files).full.find((c) => c.kind === 'typecheck')?.command;
    expect(command(config)).toBe('npx --no tsc -- --noEmit');
    expect(command({ ...config, 'pnpm-lock.yaml': '' })).toBe('pnpm exec tsc --noEmit');
    expect(command({ ...config, 'yarn.lock': '' })).toBe('yarn run tsc --noEmit');
    expect(command({ 'tsconfig.json': '{ "references": [] }' })).toBeUndefined();
    expect(checks({}, {}, config).full).toEqual([]);
  });

  it('need no JavaScript when they are configured', () => {
    const toolchain = detect({}, { fastVerifier: ['cargo test'], fullVerifier: ['cargo test', 'cargo clippy'] });
    expect(toolchain).toMatchObject({ packageManager: null, setup: [], install: [] });
    expect(toolchain.checks.full).toEqual([
      { kind: 'unit', command: 'cargo test', source: 'config', report: 'exit-code' },
      { kind: 'lint', command: 'cargo clippy', source: 'config', report: 'exit-code' },
    ]);
  });

  it.each([
    ['pnpm run test:spec', 'unit'],
    ['npm test', 'unit'],
    ['pnpm run test:lint', 'lint'],
    ['pnpm run test:format', 'lint'],
    ['npm run test:types', 'typecheck'],
    ['npm run check-types', 'typecheck'],
    ['npx mocha test/types', 'unit'],
    ['make build', 'build'],
  ])('are of the kind that their words say when they are configured: %s', (command, kind) => {
    expect(detect({}, { fastVerifier: [command] }).checks.fast).toMatchObject([{ kind }]);
  });

  it('that are configured as fast are part of a detected full', () => {
    const files = { 'package.json': manifest({ scripts: { test: 'vitest', build: 'tsc' } }) };
    const found = detect(files, { fastVerifier: ['npx vitest run test/unit'] }).checks;
    expect(found.full.map((check) => [check.source, check.command])).toEqual([
      ['config', 'npx vitest run test/unit'],
      ['detected', 'npm run build'],
    ]);
    expect(found.fast[0]?.report).toBe('vitest');
  });
});

it('answers for any text whatever', () => {
  const texts = fc.dictionary(fc.constantFrom(...TOOLCHAIN_FILES), fc.oneof(fc.string(), fc.json()));
  const scripts = fc.dictionary(fc.constantFrom('test', 'lint', 'build', 'typecheck'), fc.string());
  fc.assert(
    fc.property(texts, scripts, (files, given) => {
      expect(detect({ ...files }).setup).toBeInstanceOf(Array);
      expect(detect({ ...files, 'package.json': manifest({ scripts: given }) }).checks.full).toBeInstanceOf(Array);
    }),
  );
});
