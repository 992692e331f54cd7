import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { gitText, runGit } from './run-git.ts';

export interface BareRepository {
  readonly directory: string;
  readonly defaultBranch: string;
}

interface Source {
  readonly defaultBranch: string | undefined;
  readonly importFrom: string | undefined;
}

/** Makes `directory` a bare repository, with every branch and tag of `importFrom` where given. */
export async function createBareRepository(directory: string, source: Source): Promise<BareRepository> {
  const { importFrom } = source;
  await mkdir(directory, { recursive: true });
  await runGit(directory, ['init', '--bare', '--quiet', '--template=', '--initial-branch=main']);
  if (importFrom !== undefined) {
    const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
    await runGit(directory, ['fetch', '--quiet', '--no-tags', path.resolve(importFrom), ...refspecs]);
  }
  const defaultBranch = source.defaultBranch ?? (await currentBranch(directory, importFrom)) ?? 'main';
  await runGit(directory, ['symbolic-ref', 'HEAD', `refs/heads/${defaultBranch}`]);
  return { directory, defaultBranch };
}

async function currentBranch(directory: string, importFrom: string | undefined): Promise<string | null> {
  if (importFrom === undefined) return null;
  const listing = await gitText(directory, ['ls-remote', '--symref', path.resolve(importFrom), 'HEAD']);
  return /^ref: refs\/heads\/(\S+)\tHEAD/m.exec(listing)?.[1] ?? null;
}
