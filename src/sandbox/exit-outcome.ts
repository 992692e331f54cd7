import { constants } from 'node:os';
import type { SandboxResult } from './sandbox.ts';

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/**
 * A command killed by a signal reaches the drivers in two forms: as the signal, or as 128 + its number from bubblewrap's first
 * process and from shells. Both are told as the signal, so that the drivers agree.
 */
export function exitOutcome(end: {
  readonly code: number | null;
  readonly signal: string | null;
}): SandboxResult['outcome'] {
  if (end.signal !== null) return { kind: 'signalled', signal: end.signal };
  const code = end.code ?? -1;
  const signal = SIGNAL_NAMES.get(code - 128);
  return signal === undefined ? { kind: 'exited', code } : { kind: 'signalled', signal };
}
