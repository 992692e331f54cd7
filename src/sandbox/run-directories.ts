import { chmod, chown, mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import type { RunId } from '../domain/ids.ts';
import type { TrustedPath, Workspace } from '../domain/workspace.ts';

/** Who the sandbox runs as when the bot is root; null when the bot is an ordinary user and the sandbox runs as the bot. */
export type SandboxUser = { readonly uid: number; readonly gid: number } | null;

/**
 * Makes (or finds) the directories of one run below `<dataDir>/runs/<run>`. What untrusted code writes belongs to the sandbox user;
 * the git directory stays the bot's. Fill the tree with `syncTree`, not with a checkout from outside: files that root wrote could
 * not be replaced by the repository's own commands.
 */
export async function makeRunDirectories(options: {
  readonly dataDir: TrustedPath;
  readonly run: RunId;
  readonly toolchainDir: TrustedPath;
  readonly user: SandboxUser;
}): Promise<Workspace> {
  const root = await makeDirectory(path.join(options.dataDir, 'runs', options.run), null);
  return {
    gitDir: await makeDirectory(path.join(root, 'repository.git'), null),
    treeDir: await makeDirectory(path.join(root, 'tree'), options.user),
    toolsDir: await makeDirectory(path.join(root, 'tools'), options.user),
    exchangeDir: await makeDirectory(path.join(root, 'exchange'), options.user),
    toolchainDir: options.toolchainDir,
  };
}

/** A directory of the bot's own; its real path, so that it means the same inside and outside of a link. */
export async function makeDirectory(directory: string, owner: SandboxUser): Promise<TrustedPath> {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  const real = (await realpath(directory)) as TrustedPath;
  // `mkdir` takes the umask off the mode; the sandbox user must be able to read what is mounted.
  await chmod(real, 0o755);
  if (owner !== null && process.getuid?.() === 0) await chown(real, owner.uid, owner.gid);
  return real;
}

/** Removes what untrusted code wrote: no link is followed, and neither depth nor missing permissions stop it. */
export async function removeDirectory(directory: TrustedPath): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true });
  } catch {
    // Paths longer than the system takes at once, or directories without permissions: the system's own tools walk by descriptor.
    const options = { env: {}, extendEnv: false, reject: false, cwd: '/' } as const;
    await execa('/bin/chmod', ['-R', 'u+rwX', '--', directory], options);
    await execa('/bin/rm', ['-rf', '--', directory], { ...options, reject: true });
  }
}
