import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.test',
  GIT_AUTHOR_DATE: '1700000000 +0000',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.test',
  GIT_COMMITTER_DATE: '1700000000 +0000',
};

/** Plain git, as a person uses it: it obeys the configuration it finds in the repository. */
export function plainGit(directory: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: directory, env: ENVIRONMENT, encoding: 'utf8', stdio: 'pipe' });
}

/** Writes files below `directory`. */
export function writeFiles(directory: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(directory, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** A repository with one commit of these files on `main`; answers the commit. */
export function seedRepository(directory: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  mkdirSync(directory, { recursive: true });
  plainGit(directory, 'init', '--quiet', '--initial-branch=main');
  return commitFiles(directory, files, 'Add files');
}

export function commitFiles(
  directory: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  message: string,
): string {
  writeFiles(directory, files);
  plainGit(directory, 'add', '--all');
  plainGit(directory, 'commit', '--quiet', '--allow-empty', '-m', message);
  return plainGit(directory, 'rev-parse', 'HEAD').trim();
}
