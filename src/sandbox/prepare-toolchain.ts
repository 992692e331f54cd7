import { BotError } from '../domain/errors.ts';
import type { TrustedPath } from '../domain/workspace.ts';

/** Node and npm for the sandbox, mounted at `INSIDE.toolchain`: `bin/{node,npm,npx}`, `lib/node_modules/npm`. */
export interface PreparedToolchain {
  readonly dir: TrustedPath;
  readonly nodeVersion: string;
  readonly npmVersion: string;
}

export async function prepareToolchain(_options: { readonly dataDir: TrustedPath }): Promise<PreparedToolchain> {
  throw new BotError('binary-missing', 'The toolchain directory is being built.');
}
