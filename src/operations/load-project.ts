import ts from 'typescript';
import { dirname } from 'node:path';
import type { SourceTree } from './source-tree.ts';

/** New texts by repository path, laid over the tree; files that do not exist yet included. */
export type Texts = ReadonlyMap<string, string>;

/** One TypeScript project of the repository: a tsconfig, or the files that belong to none. */
export interface Project {
  /** Repository path of its tsconfig, or `(inferred)`. */
  readonly name: string;
  readonly options: ts.CompilerOptions;
  /** Repository paths of its root files. */
  readonly paths: ReadonlySet<string>;
  /** The program of the untouched tree, loaded once. */
  base(): ts.Program;
  /** The program with some texts exchanged. Files that did not change are shared with the base, which stays valid. */
  withTexts(texts: Texts): ts.Program;
}

export interface ProjectFiles {
  readonly name: string;
  readonly options: ts.CompilerOptions;
  readonly fileNames: readonly string[];
}

export function loadProject(tree: SourceTree, files: ProjectFiles): Project {
  const parsed = new Map<string, ts.SourceFile | undefined>();
  let base: ts.Program | undefined;
  const create = (texts: Texts, oldProgram?: ts.Program) =>
    ts.createProgram({
      rootNames: files.fileNames,
      options: files.options,
      host: hostWith(tree, files.options, { parsed, texts }),
      ...(oldProgram === undefined ? {} : { oldProgram }),
    });
  const project: Project = {
    name: files.name,
    options: files.options,
    paths: new Set(files.fileNames.map((name) => tree.repositoryPath(name)).filter((path) => path !== null)),
    base: () => (base ??= create(new Map())),
    withTexts: (texts) => create(texts, project.base()),
  };
  return project;
}

interface Layers {
  /** Source files of the tree itself, by absolute name: never changed, so programs may share them. */
  readonly parsed: Map<string, ts.SourceFile | undefined>;
  readonly texts: Texts;
}

/**
 * A compiler host rather than a language service: the service updates syntax trees in place, which would spoil the base program
 * that every proof compares with.
 */
function hostWith(tree: SourceTree, options: ts.CompilerOptions, layers: Layers): ts.CompilerHost {
  const host = ts.createCompilerHost(options, true);
  const overlaid = new Map([...layers.texts].map(([path, text]) => [tree.absolute(path), text]));
  const folders = new Set([...overlaid.keys()].map((name) => dirname(name)));
  return {
    ...host,
    readFile: (name) => overlaid.get(name) ?? host.readFile(name),
    fileExists: (name) => overlaid.has(name) || host.fileExists(name),
    directoryExists: (name) => folders.has(name) || ts.sys.directoryExists(name),
    getSourceFile(name, language, onError) {
      const text = overlaid.get(name);
      if (text !== undefined) return ts.createSourceFile(name, text, language, true);
      if (!layers.parsed.has(name)) layers.parsed.set(name, host.getSourceFile(name, language, onError));
      return layers.parsed.get(name);
    },
    writeFile: () => undefined,
  };
}
