import type { RepositoryHost } from '../code-host/repository.ts';
import { BotError } from '../domain/errors.ts';
import { inertCode, inertText } from '../domain/markdown.ts';
import { fullName, type RepositoryRef } from '../domain/repository.ts';
import { parseRepoConfig, type ParsedConfig } from './parse-repo-config.ts';
import type { RepoConfig } from './repo-config.ts';

const FILES = [
  { path: '.github/refactor-bot.yml', format: 'yaml' },
  { path: '.refactor-bot.config.json', format: 'json' },
] as const;

/** A file with more is not a configuration, and nobody reads so long a table. */
const MAX_SHOWN_PROBLEMS = 30;

export interface LoadedRepoConfig {
  readonly config: RepoConfig;
  /** Path of the file it comes from; null when the repository has none and everything is default. */
  readonly file: string | null;
}

/**
 * The repository's own configuration, always from its default branch: a pull request must not configure the bot that reads it.
 * Throws `config-invalid`; its message is Markdown with a table of every problem, safe to post as it is. `details.label` is the
 * label that the broken file names, when that much can be read.
 */
export async function loadRepoConfig(
  host: Pick<RepositoryHost, 'readTextFile'>,
  repository: RepositoryRef,
): Promise<LoadedRepoConfig> {
  const texts = await Promise.all(
    FILES.map(async (file) => ({
      ...file,
      text: await host.readTextFile(repository, { path: file.path, ref: repository.defaultBranch }),
    })),
  );
  const present = texts.flatMap(({ path, format, text }) => (text === null ? [] : [{ path, format, text }]));
  const [file, second] = present;
  if (file === undefined) return { config: {}, file: null };
  if (second !== undefined) throw twoFiles(repository, [file.path, second.path]);
  const parsed = parseRepoConfig(file.text, file.format);
  if (!parsed.ok) throw configInvalid(file.path, parsed);
  return { config: parsed.config, file: file.path };
}

function twoFiles(repository: RepositoryRef, files: readonly string[]): BotError {
  const names = files.map(inertCode).join(' and ');
  return new BotError(
    'config-invalid',
    `${inertText(fullName(repository))} has two configuration files, ${names}, and it is not clear which one is meant. Delete one of them on the default branch.`,
    { details: { files } },
  );
}

function configInvalid(file: string, { problems, label }: Extract<ParsedConfig, { ok: false }>): BotError {
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  const shown = problems.slice(0, MAX_SHOWN_PROBLEMS);
  const rows = shown.map(
    ({ path, given, allowed }) =>
      `| ${path === '' ? 'the file' : inertCode(path)} | ${inertCode(given)} | ${inertText(allowed)} |`,
  );
  const message = [
    `${inertCode(file)} on the default branch has ${count}, so nothing was started. Mend it and ask again.`,
    '',
    '| Where | Given | Allowed |',
    '| --- | --- | --- |',
    ...rows,
    ...(shown.length < problems.length ? ['', `Only the first ${shown.length} are shown.`] : []),
  ].join('\n');
  const details = {
    file,
    problems: shown.map(({ path, allowed }) => `${path}: ${allowed}`),
    ...(label === null ? {} : { label }),
  };
  return new BotError('config-invalid', message, { details });
}
