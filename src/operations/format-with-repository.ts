// This program itself runs inside the sandbox, where the formatter's code may run: there is no port to ask in here.
// oxlint-disable-next-line eslint/no-restricted-imports
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { isEqualButForLayout } from './token-streams.ts';
import type { SourceTree } from './source-tree.ts';
import type { Texts } from './load-project.ts';

interface Formatter {
  readonly packageName: string;
  /** Its entry as a script for Node, below the package. */
  readonly entry: RegExp;
  readonly binary: string;
  /** Its configuration file: a preset (gts) may bring the formatter without the package.json naming it. */
  readonly configuration: RegExp;
  readonly arguments: (path: string) => readonly string[];
}

/** Those that read a file from standard input and find their own configuration by its path. */
const FORMATTERS: readonly Formatter[] = [
  {
    packageName: 'prettier',
    entry: /\.[cm]?js$/,
    binary: 'prettier',
    configuration: /^(?:\.prettierrc(?:\..+)?|prettier\.config\..+)$/,
    arguments: (path) => ['--stdin-filepath', path],
  },
  {
    packageName: '@biomejs/biome',
    entry: /./,
    binary: 'biome',
    configuration: /^\.?biome\.jsonc?$/,
    arguments: (path) => ['format', `--stdin-file-path=${path}`],
  },
  {
    packageName: 'oxfmt',
    entry: /./,
    binary: 'oxfmt',
    configuration: /^\.oxfmtrc\.jsonc?$/,
    arguments: (path) => ['--stdin-filepath', path],
  },
];

const FORMATTING_MS = 60_000;
const LARGEST_OUTPUT = 16 * 1024 * 1024;

/**
 * Formats touched texts as the repository itself would: with the formatter that it names or configures and has installed, in that
 * version. A file that did not follow the formatter before is left as it is, or the diff would be full of other lines. A result that
 * is not token-equal is dropped.
 */
export function formatWithRepository(
  tree: SourceTree,
  texts: Texts,
  cameFrom: ReadonlyMap<string, string>,
): Map<string, string> {
  const followed = new Map<string, boolean>();
  const follows = (path: string, entry: Command) => {
    const before = tree.read(path);
    if (!followed.has(path)) followed.set(path, before !== null && run(tree, entry, { path, text: before }) === before);
    return followed.get(path) === true;
  };
  const formatOne = (path: string, text: string) => {
    const command = formatterFor(tree, path);
    if (command === null || !follows(cameFrom.get(path) ?? path, command)) return text;
    const formatted = run(tree, command, { path, text });
    return formatted !== null && isEqualButForLayout(text, formatted, path) ? formatted : text;
  };
  return new Map([...texts].map(([path, text]) => [path, formatOne(path, text)]));
}

interface Command {
  readonly script: string;
  readonly formatter: Formatter;
}

/** The nearest folder that names or configures a formatter, with the installation nearest to it. */
function formatterFor(tree: SourceTree, path: string): Command | null {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const manifest = readManifest(tree, posix.join(folder, 'package.json'));
    const named = dependencyNames(manifest);
    const files = readdirSync(tree.absolute(folder));
    const formatter = FORMATTERS.find(
      ({ packageName, configuration }) => named.includes(packageName) || files.some((file) => configuration.test(file)),
    );
    const script = formatter === undefined ? null : installedScript(tree, folder, formatter);
    if (formatter !== undefined && script !== null) return { script, formatter };
    if (folder === '.') return null;
  }
}

function installedScript(tree: SourceTree, from: string, formatter: Formatter): string | null {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const location = posix.join(folder, 'node_modules', formatter.packageName);
    const bin = readManifest(tree, posix.join(location, 'package.json'))['bin'];
    const entry = typeof bin === 'string' ? bin : isRecord(bin) ? bin[formatter.binary] : undefined;
    if (typeof entry === 'string' && formatter.entry.test(entry)) return tree.absolute(posix.join(location, entry));
    if (folder === '.') return null;
  }
}

function run(tree: SourceTree, command: Command, given: { path: string; text: string }): string | null {
  const result = spawnSync(process.execPath, [command.script, ...command.formatter.arguments(given.path)], {
    cwd: tree.root,
    input: given.text,
    encoding: 'utf8',
    timeout: FORMATTING_MS,
    maxBuffer: LARGEST_OUTPUT,
  });
  return result.status === 0 && result.stdout !== '' ? result.stdout : null;
}

function dependencyNames(manifest: Readonly<Record<string, unknown>>): string[] {
  const sections = [manifest['devDependencies'], manifest['dependencies']];
  return sections.flatMap((section) => (isRecord(section) ? Object.keys(section) : []));
}

function readManifest(tree: SourceTree, path: string): Readonly<Record<string, unknown>> {
  try {
    const manifest: unknown = JSON.parse(tree.read(path) ?? '');
    return isRecord(manifest) ? manifest : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
