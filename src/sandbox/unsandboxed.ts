import { BotError } from '../domain/errors.ts';
import type { TrustedPath } from '../domain/workspace.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { SandboxUser } from './run-directories.ts';
import type { Sandbox } from './sandbox.ts';

/** Runs commands without any protection; same options as the bubblewrap driver. */
export function createUnsandboxed(_options: {
  readonly scratchDir: TrustedPath;
  readonly user: SandboxUser;
  readonly logger: Logger;
}): Sandbox {
  throw new BotError('sandbox-too-weak', 'The driver without a sandbox is being built.');
}
