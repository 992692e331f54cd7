import type { SandboxLimits } from '../../sandbox/sandbox.ts';

const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

/** A check of the repository. `wallMs` is the run's option `limits.check_minutes`. */
export function checkLimits(wallMs: number): SandboxLimits {
  return {
    wallMs,
    silenceMs: Math.min(wallMs, 10 * MINUTE_MS),
    memoryBytes: 4096 * MIB,
    processes: 1024,
    fileBytes: 2048 * MIB,
    tmpBytes: 512 * MIB,
    diskBytes: 5120 * MIB,
    outputBytes: MIB,
  };
}

export const INSTALL_LIMITS: SandboxLimits = {
  ...checkLimits(10 * MINUTE_MS),
  silenceMs: 5 * MINUTE_MS,
  processes: 512,
};

/** Reading a report back: a report beyond `outputBytes` is taken for none. */
export const READ_LIMITS: SandboxLimits = {
  wallMs: MINUTE_MS,
  silenceMs: MINUTE_MS,
  memoryBytes: 256 * MIB,
  // Without a sandbox processes are counted per user, those of other runs included.
  processes: 1024,
  fileBytes: MIB,
  tmpBytes: MIB,
  diskBytes: MIB,
  outputBytes: 32 * MIB,
};
