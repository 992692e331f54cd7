import ts from 'typescript';
import { posix } from 'node:path';
import { readdirSync } from 'node:fs';
import { loadProject, type Project } from './load-project.ts';
import type { SourceTree } from './source-tree.ts';

/** More would cost memory without showing more: one program of a large repository takes about a gigabyte. */
const MOST_PROJECTS_PER_FILE = 2;

/**
 * Laid over every tsconfig. Unused names are errors and scripts are checked, so that one pass over a file tells everything; as only
 * new diagnostics count, that is never a complaint about the repository.
 */
const ANALYSIS_OPTIONS: ts.CompilerOptions = {
  noUnusedLocals: true,
  noEmit: false,
  noEmitOnError: false,
  emitDeclarationOnly: false,
  composite: false,
  incremental: false,
  sourceMap: false,
  inlineSourceMap: false,
  ignoreDeprecations: '6.0',
  outDir: '/emitted',
};

/** For files that no tsconfig names: plain modules, read as a bundler reads them. */
const INFERRED_OPTIONS: ts.CompilerOptions = {
  ...ANALYSIS_OPTIONS,
  allowJs: true,
  checkJs: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.React,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  skipLibCheck: true,
  types: ['*'],
};

/** Answers the projects of a file, the one with the most files first: it sees the most importers. */
export function projectFinder(tree: SourceTree): (path: string) => readonly Project[] {
  const parse = configParser(tree);
  const loaded = new Map<string, Project>();
  const load = (config: ParsedConfig) => {
    const project = loaded.get(config.name) ?? loadProject(tree, config);
    loaded.set(config.name, project);
    return project;
  };
  let inferred: ParsedConfig | undefined;
  return (path) => {
    const configs = nearestConfigs(path, parse);
    if (configs.length === 0) return [load((inferred ??= inferredConfig(tree, parse)))];
    return configs.slice(0, MOST_PROJECTS_PER_FILE).map(load);
  };
}

interface ParsedConfig {
  readonly name: string;
  readonly options: ts.CompilerOptions;
  readonly fileNames: readonly string[];
  readonly paths: ReadonlySet<string>;
  readonly references: readonly string[];
}

type ConfigParser = { one(path: string): ParsedConfig | null; inFolder(folder: string): readonly ParsedConfig[] };

function configParser(tree: SourceTree): ConfigParser {
  const parsed = new Map<string, ParsedConfig | null>();
  const one = (path: string) => {
    let config = parsed.get(path);
    if (config === undefined) parsed.set(path, (config = parseConfig(tree, path)));
    return config;
  };
  const folders = new Map<string, readonly ParsedConfig[]>();
  const inFolder = (folder: string) => {
    let found = folders.get(folder);
    if (found === undefined) folders.set(folder, (found = expandReferences(configNames(tree, folder), one)));
    return found;
  };
  return { one, inFolder };
}

/** `tsconfig.json` first; the others of the folder (`tsconfig.build.json`) are often not referenced from it. */
function configNames(tree: SourceTree, folder: string): string[] {
  const names = tree.exists(folder) ? readdirSync(tree.absolute(folder)) : [];
  return names.filter((name) => /^tsconfig(?:\.[\w.-]+)?\.json$/.test(name)).map((name) => posix.join(folder, name));
}

function parseConfig(tree: SourceTree, path: string): ParsedConfig | null {
  const host: ts.ParseConfigFileHost = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: () => undefined,
  };
  const line = ts.getParsedCommandLineOfConfigFile(tree.absolute(path), ANALYSIS_OPTIONS, host);
  if (line === undefined) return null;
  const options = { ...line.options, types: line.options.types ?? ['*'] };
  if (options.allowJs === true) options.checkJs = true;
  delete options.outFile;
  delete options.tsBuildInfoFile;
  return {
    name: path,
    options,
    fileNames: line.fileNames,
    paths: new Set(line.fileNames.map((name) => tree.repositoryPath(name)).filter((name) => name !== null)),
    references: (line.projectReferences ?? [])
      .map((reference) => tree.repositoryPath(ts.resolveProjectReferencePath(reference)))
      .filter((reference) => reference !== null),
  };
}

/** Solution-style configurations name no files themselves: what they refer to does. */
function expandReferences(names: readonly string[], parse: ConfigParser['one']): ParsedConfig[] {
  const seen = new Set<string>();
  const waiting = [...names];
  const found: ParsedConfig[] = [];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const config = parse(name);
    if (config === null) continue;
    found.push(config);
    waiting.push(...config.references);
  }
  return found;
}

function nearestConfigs(path: string, parse: ConfigParser): readonly ParsedConfig[] {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const holding = parse.inFolder(folder).filter((config) => config.paths.has(path));
    if (holding.length > 0) {
      return holding.sort((left, right) => right.paths.size - left.paths.size || (left.name < right.name ? -1 : 1));
    }
    if (folder === '.') return [];
  }
}

function inferredConfig(tree: SourceTree, parse: ConfigParser): ParsedConfig {
  const loose = tree.sourceFiles.filter((path) => nearestConfigs(path, parse).length === 0);
  const fileNames = loose.map((path) => tree.absolute(path));
  return { name: '(inferred)', options: INFERRED_OPTIONS, fileNames, paths: new Set(loose), references: [] };
}
