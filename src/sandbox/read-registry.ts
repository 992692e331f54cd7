import path from 'node:path';
import { execa } from 'execa';
import { BotError } from '../domain/errors.ts';
import type { TrustedPath } from '../domain/workspace.ts';

/** The package registry that npm uses for the user who runs the bot: from that user's own configuration, else npm's default. */
export async function readRegistry(toolchainDir: TrustedPath): Promise<string> {
  const npm = path.join(toolchainDir, 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const answer = await execa(path.join(toolchainDir, 'bin', 'node'), [npm, 'config', 'get', 'registry'], {
    cwd: toolchainDir,
    env: { NODE_DISABLE_COMPILE_CACHE: '1' },
    reject: false,
    timeout: 20_000,
  });
  const url = answer.stdout.trim();
  if (answer.exitCode === 0 && URL.canParse(url)) return url;
  throw new BotError('settings-invalid', 'npm does not say which package registry it uses. Set REFACTOR_BOT_REGISTRY.');
}
