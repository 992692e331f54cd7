import type { CodeIndex, ImportEdge, IndexedFile } from '../../domain/code-index.ts';
import type { Figures } from '../../domain/figures.ts';
import type { GitRepository } from '../../git/git-repository.ts';
import type { RunOptions } from '../../domain/options.ts';
import type { TreeId } from '../../domain/ids.ts';
import { findCycles } from './find-cycles.ts';
import { listSourceFiles, type SourceFile } from './list-source-files.ts';
import { unparsed, type FileMeasurement } from './measure-file.ts';
import { measureFiles } from './measure-files.ts';
import { resolveImport } from './link-imports.ts';

/** Measurements by path and blob id: nothing is parsed twice in a process, whatever tree it stands in. */
export type MeasurementCache = Map<string, FileMeasurement>;

export interface IndexRequest {
  readonly git: Pick<GitRepository, 'listTree' | 'readBlobs'>;
  readonly tree: TreeId;
  readonly limits: RunOptions['limits'];
  readonly churn: Readonly<Record<string, number>>;
  readonly cache: MeasurementCache;
}

/** Measures a whole tree from the object store: no file of a work tree is read. */
export async function buildCodeIndex(request: IndexRequest): Promise<CodeIndex> {
  const listing = listSourceFiles(await request.git.listTree(request.tree));
  const measured = await measureAll(listing.files, request);
  const paths = new Set(listing.files.map((file) => file.path));
  const files = listing.files.map((file) => toIndexedFile(file, measured, paths));
  const sources = files.filter((file) => !file.isTest);
  const valueCycles = findCycles(edgesOf(sources, (edge) => !edge.typeOnly));
  const importCycles = findCycles(edgesOf(sources, () => true));
  return {
    tree: request.tree,
    files,
    valueCycles,
    importCycles,
    churn: request.churn,
    figures: sumFigures(sources, { valueCycles, importCycles, limits: request.limits }),
    skipped: {
      unparsed: files.filter((file) => !file.parsed).length,
      tooLarge: listing.tooLarge,
      generated: listing.generated,
    },
  };
}

async function measureAll(files: readonly SourceFile[], request: IndexRequest): Promise<Map<string, FileMeasurement>> {
  const keyOf = (file: SourceFile) => `${file.blob} ${file.path}`;
  const missing = files.filter((file) => !request.cache.has(keyOf(file)));
  if (missing.length > 0) {
    const blobs = await request.git.readBlobs(missing.map((file) => file.blob));
    const decoder = new TextDecoder();
    const texts = missing.map((file) => ({ path: file.path, text: decoder.decode(blobs.get(file.blob)) }));
    const measured = await measureFiles(texts);
    for (const [index, file] of missing.entries())
      request.cache.set(keyOf(file), measured[index] ?? unparsed(texts[index]?.text ?? ''));
  }
  return new Map(files.map((file) => [file.path, request.cache.get(keyOf(file)) ?? unparsed('')]));
}

function toIndexedFile(
  file: SourceFile,
  measured: ReadonlyMap<string, FileMeasurement>,
  paths: ReadonlySet<string>,
): IndexedFile {
  const { specifiers, ...measurement } = measured.get(file.path) ?? unparsed('');
  const imports = specifiers.map((entry): ImportEdge => ({
    ...entry,
    target: resolveImport(file.path, entry.specifier, paths),
  }));
  return { path: file.path, blob: file.blob, isTest: file.isTest, ...measurement, imports };
}

function edgesOf(files: readonly IndexedFile[], keep: (edge: ImportEdge) => boolean): Map<string, string[]> {
  return new Map(
    files.map((file) => [
      file.path,
      file.imports
        .filter(keep)
        .flatMap((edge) => (edge.target === null || edge.target === file.path ? [] : [edge.target])),
    ]),
  );
}

function sumFigures(
  files: readonly IndexedFile[],
  context: Pick<CodeIndex, 'valueCycles' | 'importCycles'> & { readonly limits: RunOptions['limits'] },
): Figures {
  const { limits } = context;
  const sum = (count: (file: IndexedFile) => number) => files.reduce((total, file) => total + count(file), 0);
  return {
    filesOverLimit: sum((file) => (file.lines > limits.fileLines ? 1 : 0)),
    linesOverLimit: sum((file) => Math.max(0, file.lines - limits.fileLines)),
    longFunctions: sum((file) => file.functions.filter((entry) => entry.lines > limits.functionLines).length),
    largeClasses: sum((file) => file.classes.filter((entry) => entry.methods > limits.classMethods).length),
    unusedImports: sum((file) => file.unusedImports.length),
    unusedDeclarations: sum((file) => file.unusedDeclarations.length),
    valueCycles: context.valueCycles.length,
    importCycles: context.importCycles.length,
  };
}
