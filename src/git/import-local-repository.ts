import { stat } from 'node:fs/promises';
import path from 'node:path';
import { BotError } from '../domain/errors.ts';
import { toCommitId, type CommitId } from '../domain/ids.ts';
import type { TrustedPath } from '../domain/workspace.ts';
import { gitVerb, type GitPlace } from './run-git.ts';
import { accessRemote } from './remote-access.ts';
import type { GitSurroundings, Transport } from './hermetic-settings.ts';

export interface ImportedRepository {
  /** The branch that is checked out there; null when its head is detached or the repository is empty. */
  readonly branch: string | null;
  readonly head: CommitId | null;
}

/**
 * Brings all branches and tags of a folder on this machine into an opened bare repository: for the terminal, where a person names
 * a folder of their own. The only call that may use git's `file` transport.
 *
 * Why that is safe enough: git's upload-pack runs there and reads that repository's configuration, but of what it may name only a
 * pack hook is ever executed on this way, and git takes that one from the system's and the user's configuration alone (both are
 * switched off here), never from the repository. Hooks, filters and drivers do not run for a fetch, and the work tree is not read. A
 * folder that belongs to somebody else is refused by git itself (`safe.directory`, which is not widened here). Never give it a path
 * that a repository, an issue or a sandbox has chosen.
 */
export async function importLocalRepository(
  source: string,
  gitDir: TrustedPath,
  options: { readonly surroundings?: GitSurroundings; readonly signal?: AbortSignal } = {},
): Promise<ImportedRepository> {
  const folder = path.resolve(source);
  await requireFolder(folder);
  const place: GitPlace = { gitDir, surroundings: options.surroundings ?? {} };
  const reach = { transport: 'file', ...(options.signal === undefined ? {} : { signal: options.signal }) } as const;
  try {
    return await importAll(place, folder, reach);
  } catch (thrown) {
    throw explain(thrown, folder);
  }
}

/** The same from an address that a person names: over https, or http on this machine, without credentials. */
export async function importRemoteRepository(
  source: URL,
  gitDir: TrustedPath,
  options: { readonly surroundings?: GitSurroundings } = {},
): Promise<ImportedRepository> {
  const protocol = source.protocol === 'http:' ? 'http' : 'https';
  const { url, transport } = accessRemote({ url: source.href, host: source.host, protocol, token: null });
  return importAll({ gitDir, surroundings: options.surroundings ?? {} }, url, { transport });
}

async function importAll(
  place: GitPlace,
  source: string,
  reach: { readonly transport: Transport; readonly signal?: AbortSignal },
): Promise<ImportedRepository> {
  const heads = await gitVerb(place, ['ls-remote', '--symref', source, 'HEAD'], reach);
  const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
  await gitVerb(
    place,
    ['fetch', '--quiet', '--no-recurse-submodules', '--no-write-fetch-head', source, ...refs],
    reach,
  );
  return parseHead(heads);
}

/** Anything else could be a bundle file, which is read by other rules. */
async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory()) return;
  throw new BotError('path-not-a-repository', `There is no folder ${folder}. Name the folder of a git repository.`);
}

/** `ref: refs/heads/main\tHEAD` and `<commit>\tHEAD`. */
function parseHead(said: string): ImportedRepository {
  const branch = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(said)?.[1] ?? null;
  const head = /^([0-9a-f]{40,64})\tHEAD$/m.exec(said)?.[1];
  return { branch, head: head === undefined ? null : toCommitId(head) };
}

function explain(thrown: unknown, folder: string): unknown {
  const said = thrown instanceof BotError ? String(thrown.details.said) : '';
  if (/dubious ownership/.test(said)) {
    const message = `${folder} belongs to another user, so git refuses to read it. Run the bot as its owner, or copy the folder.`;
    return new BotError('path-not-a-repository', message, { cause: thrown });
  }
  if (/does not appear to be a git repository|not a git repository/.test(said)) {
    const message = `${folder} is not a git repository. Run "git init" in it and commit, or name another folder.`;
    return new BotError('path-not-a-repository', message, { cause: thrown });
  }
  return thrown;
}
