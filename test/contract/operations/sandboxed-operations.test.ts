import { chmod, copyFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { baseEnvironment } from '../../../src/sandbox/base-environment.ts';
import { createSandboxedOperations } from '../../../src/operations/sandboxed-operations.ts';
import { openSandboxBench, whyNoBubblewrap, type SandboxBench } from '../../support/sandbox-drivers.ts';
import type { DetectRequest, OperationsContext } from '../../../src/operations/operations.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { TrustedPath } from '../../../src/domain/workspace.ts';

const request: DetectRequest = {
  operations: ['remove-unused-imports'],
  files: { 'remove-unused-imports': ['main.ts'], 'remove-unused-declarations': [], 'split-types': [] },
  limits: { fileLines: 400 },
};
const signal = new AbortController().signal;
const missing = await whyNoBubblewrap();

describe.each<Sandbox['name']>(['unsandboxed', 'bubblewrap'])('in %s', (driver) => {
  const isHere = driver === 'unsandboxed' || missing === null;
  let bench: SandboxBench;
  let context: OperationsContext;

  beforeAll(async () => {
    if (!isHere) return;
    bench = await openSandboxBench(driver);
    context = { ...(await makeContext(bench)), wallMs: 100_000 };
  });
  afterAll(async () => {
    if (isHere) await bench.remove();
  });

  it.runIf(isHere)('detects and applies, and leaves the tree as it was', async () => {
    const operations = createSandboxedOperations({ sandbox: bench.sandbox });
    const detection = await operations.detect(request, context, signal);
    expect(detection.engine).toMatch(/^refactor-bot-operations\/\d+ typescript\/6\./);
    expect(detection.candidates.map((candidate) => candidate.goal)).toEqual(['remove 1 unused import from main.ts']);
    const application = await operations.apply(detection.candidates[0]!.recipe, context, signal);
    expect(application).toMatchObject({ kind: 'patch', touchedFiles: ['main.ts'] });
    expect(application.kind === 'patch' && application.diff).toContain(
      "-import { a, b } from './things.js';\n+import { a }",
    );
    expect((await readdir(bench.tree)).sort()).toEqual(['main.ts', 'package.json', 'things.ts', 'tsconfig.json']);
  });

  it.runIf(isHere)('does not write through what an earlier command left in the exchange folder', async () => {
    const victim = path.join(bench.root, 'victim.json');
    await writeFile(victim, 'mine');
    await symlink(victim, path.join(context.workspace.exchangeDir, 'left.json'));
    const operations = createSandboxedOperations({ sandbox: bench.sandbox });
    await operations.detect({ ...request, operations: [] }, context, signal);
    expect(await readdir(context.workspace.exchangeDir)).toEqual(['request.json']);
  });

  it.runIf(isHere)('says so when the program does not finish', async () => {
    const operations = createSandboxedOperations({ sandbox: bench.sandbox });
    const asked = operations.detect(request, { ...context, wallMs: 1 }, signal);
    await expect(asked).rejects.toMatchObject({ code: 'output-invalid' });
  });
});

async function makeContext(bench: SandboxBench): Promise<Omit<OperationsContext, 'wallMs'>> {
  const folder = async (name: string) => {
    const made = path.join(bench.root, name);
    await mkdir(made, { recursive: true });
    return made as TrustedPath;
  };
  const toolchainDir = await folder('toolchain');
  await mkdir(path.join(toolchainDir, 'bin'));
  await copyNode(path.join(toolchainDir, 'bin', 'node'));
  await writeFile(path.join(bench.tree, 'package.json'), '{ "type": "module" }');
  await writeFile(
    path.join(bench.tree, 'tsconfig.json'),
    '{ "compilerOptions": { "module": "nodenext", "types": [] } }',
  );
  await writeFile(path.join(bench.tree, 'things.ts'), 'export const a = 1;\nexport const b = 2;\n');
  await writeFile(path.join(bench.tree, 'main.ts'), "import { a, b } from './things.js';\nexport const x = a;\n");
  const workspace = {
    gitDir: await folder('git'),
    treeDir: bench.tree,
    toolsDir: await folder('tools'),
    toolchainDir,
    exchangeDir: await folder('exchange'),
  };
  return { workspace, environment: { variables: baseEnvironment(), toolchain: '', sandbox: bench.sandbox.name } };
}

async function copyNode(to: string): Promise<void> {
  await copyFile(process.execPath, to);
  await chmod(to, 0o755);
}
