import path from 'node:path';
import { execa } from 'execa';
import type { ListedRepository } from './listed-repositories.ts';

const ENVIRONMENT = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' };

/**
 * A bare repository whose only branch, `main`, ends at the listed commit; answers its folder. It comes from the public address, or
 * from `<source>/<owner>+<name>` (a bare repository or a folder that holds one as `repo`) where this machine cannot reach it.
 */
export async function bringCommit(listed: ListedRepository, into: string, source: string | null): Promise<string> {
  const folder = path.join(into, `${path.basename(listed.name)}.git`);
  await execa('git', ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', folder], {
    env: ENVIRONMENT,
  });
  const git = async (...args: string[]) => execa('git', ['--git-dir', folder, ...args], { env: ENVIRONMENT });
  const from =
    source === null
      ? [`https://github.com/${listed.name}.git`]
      : [path.join(source, listed.name.replace('/', '+')), path.join(source, listed.name.replace('/', '+'), 'repo')];
  const problems: string[] = [];
  for (const address of from) {
    try {
      await git('fetch', '--quiet', '--no-tags', '--no-write-fetch-head', address, `${listed.commit}:refs/heads/main`);
      return folder;
    } catch (thrown) {
      problems.push(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
  throw new Error(`${listed.name} at ${listed.commit} could not be had.\n${problems.join('\n')}`);
}
