import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BotError } from '../domain/errors.ts';
import { INSIDE } from '../domain/workspace.ts';
import { invalid, readAnswer } from './read-answer.ts';
import { programInside, programMounts } from './program-mounts.ts';
import type { Operations, OperationsContext } from './operations.ts';
import type { ProgramRequest } from './protocol.ts';
import type { Sandbox, SandboxLimits, SandboxResult } from '../sandbox/sandbox.ts';

const REQUEST_FILE = 'request.json';
const MEBIBYTE = 1024 * 1024;
/** One program of a large repository takes one to two gigabytes; Node's own default may be far less. */
const HEAP_MEBIBYTES = 4096;

/** The mechanical operations as their program, run inside the sandbox without a network; it reads the tree and answers diffs. */
export function createSandboxedOperations(options: { readonly sandbox: Sandbox }): Operations {
  const { sandbox } = options;
  return {
    async detect(request, context, signal) {
      const answer = await ask(sandbox, { request: { kind: 'detect', request }, context }, signal);
      if (answer.kind !== 'detection') throw invalid('it answered something else than was asked', answer.kind);
      return answer.detection;
    },
    async apply(recipe, context, signal) {
      const answer = await ask(sandbox, { request: { kind: 'apply', recipe }, context }, signal);
      if (answer.kind !== 'application') throw invalid('it answered something else than was asked', answer.kind);
      return answer.application;
    },
  };
}

async function ask(
  sandbox: Sandbox,
  call: { readonly request: ProgramRequest; readonly context: OperationsContext },
  signal: AbortSignal,
) {
  const { workspace, environment, wallMs } = call.context;
  await writeRequest(workspace.exchangeDir, call.request);
  const result = await sandbox.run(
    {
      // The program's folder has no package.json in there, so Node finds out that it is a module, and would say so each time.
      argv: [
        `${INSIDE.toolchain}/bin/node`,
        `--max-old-space-size=${HEAP_MEBIBYTES}`,
        '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
        programInside(),
        `${INSIDE.exchange}/${REQUEST_FILE}`,
      ],
      cwd: INSIDE.tree,
      mounts: programMounts(workspace),
      env: environment.variables,
      network: { mode: 'none' },
      limits: limits(wallMs),
    },
    signal,
  );
  assertFinished(result);
  return readAnswer(result.stdout);
}

/** What earlier commands left there may be anything, links included: it goes, and the file is created, never opened. */
async function writeRequest(exchangeDir: string, request: ProgramRequest): Promise<void> {
  for (const name of await readdir(exchangeDir)) await rm(join(exchangeDir, name), { recursive: true, force: true });
  await writeFile(join(exchangeDir, REQUEST_FILE), JSON.stringify(request), { flag: 'wx', mode: 0o644 });
}

function limits(wallMs: number): SandboxLimits {
  return {
    wallMs,
    // It says nothing until it is done.
    silenceMs: wallMs,
    memoryBytes: (HEAP_MEBIBYTES + 1024) * MEBIBYTE,
    processes: 128,
    fileBytes: 64 * MEBIBYTE,
    tmpBytes: 256 * MEBIBYTE,
    diskBytes: MEBIBYTE,
    outputBytes: 64 * MEBIBYTE,
  };
}

function assertFinished(result: SandboxResult): void {
  const { outcome } = result;
  if (outcome.kind === 'exited' && outcome.code === 0) return;
  if (outcome.kind === 'setup-failed') {
    throw new BotError(
      'sandbox-too-weak',
      `The mechanical operations could not be started in the sandbox: ${outcome.detail}`,
    );
  }
  const how =
    outcome.kind === 'exited'
      ? `it ended with code ${outcome.code}`
      : outcome.kind === 'signalled'
        ? `it was killed by ${outcome.signal}`
        : `it was stopped: ${outcome.kind}`;
  throw invalid(how, result.stderr.slice(-500));
}
