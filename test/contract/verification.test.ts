import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { chmodSync, chownSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toTreeId } from '../../src/domain/ids.ts';
import type { Check, CheckResult, Environment } from '../../src/domain/verdict.ts';
import type { TrustedPath, Workspace } from '../../src/domain/workspace.ts';
import { detectToolchain } from '../../src/pipeline/checkout/detect-toolchain.ts';
import { installDependencies } from '../../src/pipeline/verification/install-dependencies.ts';
import { judge } from '../../src/pipeline/verification/judge.ts';
import { recordBaseline } from '../../src/pipeline/verification/record-baseline.ts';
import { runChecks } from '../../src/pipeline/verification/run-checks.ts';
import { checkLimits } from '../../src/pipeline/verification/sandbox-limits.ts';
import { baseEnvironment } from '../../src/sandbox/base-environment.ts';
import { createBubblewrapSandbox } from '../../src/sandbox/bubblewrap-sandbox.ts';
import { prepareToolchain } from '../../src/sandbox/prepare-toolchain.ts';
import { makeDirectory } from '../../src/sandbox/run-directories.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { createUnsandboxed } from '../../src/sandbox/unsandboxed.ts';

const TREE = toTreeId('a'.repeat(40));
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : null;
const logger = pino({ level: 'silent' });
const signal = new AbortController().signal;

const root = mkdtempSync(path.join(os.tmpdir(), 'verification-'));
chmodSync(root, 0o755);
const scratchDir = await makeDirectory(path.join(root, 'scratch'), null);
const bubblewrap = createBubblewrapSandbox({ scratchDir, user, logger });
const probe = await bubblewrap.probe();
if (probe.level === 'none') console.warn(`Checks are tried without a sandbox only: ${probe.missing.join(' ')}`);
const drivers: readonly Sandbox[] = [
  ...(probe.level === 'none' ? [] : [bubblewrap]),
  createUnsandboxed({ scratchDir, user, logger }),
];
let toolchainDir: TrustedPath;

beforeAll(async () => {
  if (process.env.CI === 'true') expect(probe.level, probe.missing.join(' ')).not.toBe('none');
  toolchainDir = (await prepareToolchain({ dataDir: await makeDirectory(path.join(root, 'data'), null) })).dir;
});

afterAll(async () => rm(root, { recursive: true, force: true }));

/** A checkout with these files, owned by whom the sandbox runs as. */
async function checkout(files: Readonly<Record<string, string>>): Promise<Workspace> {
  const run = await mkdtemp(path.join(root, 'run-'));
  chmodSync(run, 0o755);
  const at = (name: string, owner: typeof user) => makeDirectory(path.join(run, name), owner);
  const workspace: Workspace = {
    gitDir: await at('git', null),
    treeDir: await at('tree', user),
    toolsDir: await at('tools', user),
    exchangeDir: await at('exchange', user),
    toolchainDir,
  };
  for (const [name, text] of Object.entries(files)) await write(workspace, name, text);
  return workspace;
}

async function write(workspace: Workspace, name: string, text: string): Promise<void> {
  const file = path.join(workspace.treeDir, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  if (user !== null) chownSync(file, user.uid, user.gid);
}

function packageJson(scripts: object): string {
  return JSON.stringify({ name: 'sample', type: 'module', scripts });
}

function verifying(sandbox: Sandbox, workspace: Workspace, manifest: string) {
  const environment: Environment = { variables: baseEnvironment(), toolchain: 'node', sandbox: sandbox.name };
  const configured = { install: null, fastVerifier: null, fullVerifier: null };
  const toolchain = detectToolchain(new Map([['package.json', manifest]]), configured);
  const run = { sandbox, workspace, environment, limits: checkLimits(60_000), signal };
  return {
    baseline: async (mode: 'strict' | 'known-failures' = 'strict') =>
      recordBaseline({ ...run, tree: TREE, toolchain, options: { baseline: mode, allowWithoutTests: false } }),
    checks: async (results: readonly CheckResult[]) =>
      runChecks({ ...run, checks: results.map((result) => result.check), stopAtFailure: false }),
  };
}

const SUITE = `import { describe, it } from 'node:test';
import assert from 'node:assert';
import { sum } from '../sum.js';
describe('sum', () => { it('adds', () => assert.equal(sum(1, 2), 3)); it('takes', () => assert.equal(sum(1, -2), -1)); });
`;
const GOOD = 'export const sum = (a, b) => a + b;\n';

describe.each(drivers.map((driver) => [driver.name, driver] as const))('verification with %s', (_name, sandbox) => {
  it('records a green baseline and names the test that a change breaks', async () => {
    const manifest = packageJson({ test: 'node --test test/*.js' });
    const workspace = await checkout({ 'package.json': manifest, 'sum.js': GOOD, 'test/sum.test.js': SUITE });
    const verify = verifying(sandbox, workspace, manifest);

    const outcome = await verify.baseline();
    if (outcome.kind !== 'recorded') throw new Error(JSON.stringify(outcome));
    expect(outcome.baseline.fast[0]?.tests).toEqual([
      { id: 'test/sum.test.js > sum > adds', outcome: 'passed' },
      { id: 'test/sum.test.js > sum > takes', outcome: 'passed' },
    ]);

    await write(workspace, 'sum.js', 'export const sum = (a, b) => a + Math.abs(b);\n');
    const results = await verify.checks(outcome.baseline.fast);
    const verdict = judge(outcome.baseline, { tree: TREE, level: 'fast', results });
    expect(verdict.problems.map(({ kind, subject }) => [kind, subject])).toEqual([
      ['test-failed', 'test/sum.test.js > sum > takes'],
    ]);
    expect(results[0]?.outputTail).toContain('AssertionError');
  });

  it('says which command is red, and accepts it only by the names of its tests', async () => {
    const manifest = packageJson({ test: 'node --test', lint: 'exit 3' });
    const files = { 'package.json': manifest, 'sum.js': 'export const sum = () => 3;\n', 'test/sum.test.js': SUITE };
    const verify = verifying(sandbox, await checkout(files), manifest);
    expect(await verify.baseline()).toMatchObject({
      kind: 'red',
      culprit: { check: { command: 'npm test' }, exitCode: 1 },
    });
    expect(await verify.baseline('known-failures')).toMatchObject({
      kind: 'red',
      culprit: { check: { command: 'npm run lint' }, exitCode: 3 },
      baseline: { knownFailures: ['test/sum.test.js > sum > takes'] },
    });
  });

  it('finds flaky tests by running the same tree twice', async () => {
    const manifest = packageJson({ test: 'node --test' });
    const flaky = `import { existsSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
it('every other time', () => { if (!existsSync('seen')) { writeFileSync('seen', ''); throw new Error('first time'); } });
`;
    const verify = verifying(
      sandbox,
      await checkout({ 'package.json': manifest, 'test/flaky.test.js': flaky }),
      manifest,
    );
    const outcome = await verify.baseline();
    expect(outcome).toMatchObject({ kind: 'recorded', baseline: { flaky: ['test/flaky.test.js > every other time'] } });
  });

  it('builds before the tests where they need it, and every time from then on', async () => {
    const manifest = packageJson({ test: 'node --test test/*.js', build: 'mkdir -p dist && cp sum.js dist/sum.js' });
    const suite = SUITE.replace('../sum.js', '../dist/sum.js');
    const verify = verifying(
      sandbox,
      await checkout({ 'package.json': manifest, 'sum.js': GOOD, 'test/sum.test.js': suite }),
      manifest,
    );
    const outcome = await verify.baseline();
    if (outcome.kind !== 'recorded') throw new Error(JSON.stringify(outcome));
    const commands = (results: readonly CheckResult[]) => results.map((result) => result.check.command);
    expect(commands(outcome.baseline.fast)).toEqual(['npm run build', 'npm test']);
    expect(commands(outcome.baseline.full)).toEqual(['npm run build', 'npm test']);
  });

  it('checks behind the build what looks at what was built', async () => {
    const scripts = {
      test: 'node --test test/*.js',
      'test:types': 'test -f dist/sum.js',
      build: 'mkdir -p dist && cp sum.js dist',
    };
    const manifest = packageJson(scripts);
    const files = { 'package.json': manifest, 'sum.js': GOOD, 'test/sum.test.js': SUITE };
    const outcome = await verifying(sandbox, await checkout(files), manifest).baseline();
    if (outcome.kind !== 'recorded') throw new Error(JSON.stringify(outcome));
    const commands = outcome.baseline.full.map((result) => result.check.command);
    expect(commands).toEqual(['npm test', 'npm run build', 'npm run test:types']);
  });

  it('goes by the exit code where a runner refuses to report', async () => {
    const manifest = packageJson({ test: 'mocha' });
    // Stands for a mocha too old for the arguments.
    const old = '#!/bin/sh\n[ $# -eq 0 ] && echo fine || { echo "unknown option" >&2; exit 1; }\n';
    const workspace = await checkout({ 'package.json': manifest, 'node_modules/.bin/mocha': old });
    chmodSync(path.join(workspace.treeDir, 'node_modules/.bin/mocha'), 0o755);
    const outcome = await verifying(sandbox, workspace, manifest).baseline();
    expect(outcome).toMatchObject({
      kind: 'recorded',
      baseline: { fast: [{ outcome: 'passed', check: { report: 'exit-code' } }] },
    });
  });

  it('takes no planted file for a report', async () => {
    const manifest = packageJson({ test: 'node --test' });
    const planted = `import { rmSync, symlinkSync } from 'node:fs';
process.on('exit', () => { rmSync('/exchange/test-report', { force: true }); symlinkSync('/etc/passwd', '/exchange/test-report'); });
`;
    const workspace = await checkout({ 'package.json': manifest, 'sum.js': GOOD, 'test/sum.test.js': planted + SUITE });
    const outcome = await verifying(sandbox, workspace, manifest).baseline();
    expect(JSON.stringify(outcome)).not.toContain('root:');
  });

  it('stops at a failure where that is enough, and tells a command that does not end from one that fails', async () => {
    const workspace = await checkout({});
    const environment: Environment = { variables: baseEnvironment(), toolchain: 'node', sandbox: sandbox.name };
    const check = (command: string): Check => ({ kind: 'unit', command, source: 'config', report: 'exit-code' });
    const run = { sandbox, workspace, environment, signal };
    const stopped = await runChecks({
      ...run,
      checks: [check('echo no >&2; exit 7'), check('true')],
      limits: checkLimits(60_000),
      stopAtFailure: true,
    });
    expect(stopped).toMatchObject([{ outcome: 'failed', exitCode: 7, outputTail: 'no' }, { outcome: 'not-run' }]);
    const late = await runChecks({
      ...run,
      checks: [check('sleep 600')],
      limits: checkLimits(500),
      stopAtFailure: false,
    });
    expect(late).toMatchObject([{ outcome: 'timed-out', exitCode: null }]);
  });

  it('says what installation ended with', async () => {
    const configured = { install: ['echo half && exit 5'], fastVerifier: null, fullVerifier: null };
    const toolchain = detectToolchain(new Map(), configured);
    const request = {
      sandbox,
      workspace: await checkout({}),
      site: { registry: { url: 'https://packages.example.test/', rules: [] } },
      environment: { variables: baseEnvironment(), toolchain: 'node', sandbox: sandbox.name },
      signal,
    };
    await expect(installDependencies({ ...request, toolchain })).rejects.toMatchObject({
      code: 'dependencies-not-installed',
      details: { command: 'echo half && exit 5', evidence: 'half' },
    });
    const installed = await installDependencies({
      ...request,
      toolchain: { ...toolchain, install: ['echo x > made'], variables: { A: '1' } },
    });
    expect(installed).toMatchObject({ variables: { A: '1', CI: 'true' }, toolchain: 'node' });
  });

  it('refuses a repository without tests', async () => {
    const manifest = packageJson({ lint: 'true' });
    const outcome = await verifying(sandbox, await checkout({ 'package.json': manifest }), manifest).baseline();
    expect(outcome.kind).toBe('no-checks-found');
  });
});

it('reads the report of a real vitest', async () => {
  const sandbox = createUnsandboxed({ scratchDir, user: null, logger });
  const manifest = packageJson({ test: 'vitest watch' });
  const suite = SUITE.replace('node:test', 'vitest');
  const workspace = await checkout({ 'package.json': manifest, 'sum.js': GOOD, 'test/sum.test.js': suite });
  await symlink(path.resolve(import.meta.dirname, '../../node_modules'), path.join(workspace.treeDir, 'node_modules'));
  const outcome = await verifying(sandbox, workspace, manifest).baseline();
  expect(outcome).toMatchObject({ kind: 'recorded', baseline: { flaky: [] } });
  const tests = outcome.kind === 'recorded' ? outcome.baseline.fast[0]?.tests : null;
  expect(tests?.map((test) => test.id)).toEqual(['test/sum.test.js > sum > adds', 'test/sum.test.js > sum > takes']);
});
