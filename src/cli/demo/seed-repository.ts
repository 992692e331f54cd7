import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { mapGitError } from '../../git/map-git-error.ts';
import { openGitRepository } from '../../git/open-git-repository.ts';
import { importLocalRepository, importRemoteRepository } from '../../git/import-local-repository.ts';
import { BotError } from '../../domain/errors.ts';
import type { DemoOptions, Scenario } from './demo-options.ts';
import type { TrustedPath } from '../../domain/workspace.ts';

/** A git repository on this machine that the embedded GitHub takes its first content from. */
export interface Seed {
  readonly name: string;
  readonly folder: string;
  readonly defaultBranch: string;
}

export async function seedRepository(options: DemoOptions, folder: string): Promise<Seed> {
  return options.source === null ? seedSample(options.scenario, folder) : importCopy(options.source, folder);
}

const SAMPLE = path.join(import.meta.dirname, 'sample');

/** The sample as a repository of its own. `.gitignore` and `.github` travel under names that git and npm leave alone. */
async function seedSample(scenario: Scenario, folder: string): Promise<Seed> {
  const tree = path.join(folder, 'sample');
  await cp(SAMPLE, tree, { recursive: true });
  await rename(path.join(tree, 'gitignore'), path.join(tree, '.gitignore'));
  await rename(path.join(tree, 'github'), path.join(tree, '.github'));
  await bend(tree, scenario);
  const git = async (...args: string[]) => {
    await execa('git', args, { cwd: tree, env: SEED_ENVIRONMENT, extendEnv: true }).catch((thrown: Error) => {
      throw mapGitError(thrown.message, args, thrown);
    });
  };
  await git('init', '--quiet', '--initial-branch=main', '--template=');
  await git('add', '--all');
  await git('commit', '--quiet', '--message=Shipping quotes, offers and labels');
  return { name: 'parcel-quote', folder: tree, defaultBranch: 'main' };
}

const SEED_ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Mara',
  GIT_AUTHOR_EMAIL: 'mara@example.test',
  GIT_COMMITTER_NAME: 'Mara',
  GIT_COMMITTER_EMAIL: 'mara@example.test',
};

/** What makes the sample tell another story. */
async function bend(tree: string, scenario: Scenario): Promise<void> {
  if (scenario === 'red-baseline') {
    const file = path.join(tree, 'test/offers.test.ts');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('9\\.90 EUR', '9\\.91 EUR'));
  }
  if (scenario === 'nothing-to-do') {
    for (const name of ['src/quote.ts', 'src/offers.ts', 'src/labels.ts', 'src/postcodes.ts', 'src/plugins', 'test']) {
      await rm(path.join(tree, name), { recursive: true });
    }
    await mkdir(path.join(tree, 'test'));
    await writeFile(path.join(tree, 'test/money.test.ts'), MONEY_TEST);
  }
}

const MONEY_TEST = `import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addMoney, euros, formatMoney } from '../src/money.ts';

it('adds and prints', () => {
  assert.equal(formatMoney(addMoney(euros(150), euros(75))), '2.25 EUR');
});
`;

/** Every branch and tag of a repository that its owner names: the original is only read. */
async function importCopy(source: string, folder: string): Promise<Seed> {
  const copy = path.join(folder, 'import.git') as TrustedPath;
  await openGitRepository(copy);
  const isAddress = /^https?:\/\//.test(source);
  const { branch, head } = isAddress
    ? await importRemoteRepository(new URL(source), copy)
    : await importLocalRepository(source, copy);
  if (head === null)
    throw new BotError('repository-empty', `${source} has no commit yet. Commit something, then try again.`);
  if (branch === null) {
    throw new BotError('path-not-a-repository', `${source} has no branch checked out. Check one out, then try again.`);
  }
  const name = path.posix
    .basename(source.replaceAll('\\', '/').replace(/\/+$/, ''), '.git')
    .replaceAll(/[^\w.-]/g, '-');
  return { name: /^\.*$/.test(name) ? 'repository' : name, folder: copy, defaultBranch: branch };
}
