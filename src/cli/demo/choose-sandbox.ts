import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BotError } from '../../domain/errors.ts';
import { createBubblewrapSandbox } from '../../sandbox/bubblewrap-sandbox.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { DEMO_SANDBOX_USER } from './demo-world.ts';
import { makeDirectory } from '../../sandbox/run-directories.ts';
import type { DemoOptions } from './demo-options.ts';
import type { Settings } from '../../config/settings.ts';

export interface SandboxChoice {
  readonly driver: Settings['sandbox']['driver'];
  /** What a person should know about it. */
  readonly notice: string;
}

/**
 * Bubblewrap where it holds. Without it the sample, which is our own, may run as it is, and says so; code of anybody else is refused
 * (`sandbox-too-weak`) unless its owner insists.
 */
export async function chooseSandbox(options: DemoOptions): Promise<SandboxChoice> {
  if (options.unsandboxed)
    return { driver: 'none', notice: 'sandbox: NONE, as you asked; the repository’s code runs as you' };
  const probe = await probeHere();
  if (probe.level === 'full') return { driver: 'bubblewrap', notice: 'sandbox: bubblewrap' };
  const mend = probe.missing.join(' ');
  if (options.source === null) {
    return { driver: 'none', notice: `sandbox: NONE; good enough for the bundled sample only. ${mend}` };
  }
  throw new BotError(
    'sandbox-too-weak',
    `The code of ${options.source} is not run without a sandbox. ${mend} If the code is your own and you trust it, --unsandboxed runs it as you.`,
  );
}

async function probeHere() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'refactor-bot-probe-'));
  try {
    const scratchDir = await makeDirectory(folder, null);
    return await createBubblewrapSandbox({
      scratchDir,
      user: DEMO_SANDBOX_USER,
      logger: createLogger({ level: 'silent' }),
    }).probe();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
