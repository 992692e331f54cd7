import { BotError } from '../domain/errors.ts';
import type { TrustedPath } from '../domain/workspace.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { SandboxUser } from './run-directories.ts';
import type { Sandbox } from './sandbox.ts';

/** `scratchDir` holds what one command needs beside its mounts; `user` must be given when the bot is root. */
export function createBubblewrapSandbox(_options: {
  readonly scratchDir: TrustedPath;
  readonly user: SandboxUser;
  readonly logger: Logger;
}): Sandbox {
  throw new BotError('sandbox-too-weak', 'The bubblewrap driver is being built.');
}
