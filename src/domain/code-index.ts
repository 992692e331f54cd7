import type { Figures } from './figures.ts';

/** One source file as measured. Paths are repository-relative with `/`. */
export interface IndexedFile {
  readonly path: string;
  /** Git blob id: the cache key of everything else here. */
  readonly blob: string;
  readonly lines: number;
  /** False when the parser could not read it: such a file gives no findings and is counted. */
  readonly parsed: boolean;
  readonly isTest: boolean;
  readonly functions: readonly MeasuredFunction[];
  readonly classes: readonly MeasuredClass[];
  readonly imports: readonly ImportEdge[];
  readonly unusedImports: readonly string[];
  readonly unusedDeclarations: readonly string[];
}

export interface MeasuredFunction {
  readonly name: string;
  readonly startLine: number;
  readonly lines: number;
}

export interface MeasuredClass {
  readonly name: string;
  readonly startLine: number;
  readonly methods: number;
}

/** `target` is a repository path, or null for a package or a specifier that resolves to no file of the repository. */
export interface ImportEdge {
  readonly specifier: string;
  readonly target: string | null;
  /** True when nothing of the edge exists at run time. */
  readonly typeOnly: boolean;
}

export interface CodeIndex {
  readonly tree: string;
  readonly files: readonly IndexedFile[];
  /** Strongly connected components of more than one file, members sorted. */
  readonly valueCycles: readonly (readonly string[])[];
  readonly importCycles: readonly (readonly string[])[];
  /** Commits of the last year that touched the file, by path; empty where history is missing. */
  readonly churn: Readonly<Record<string, number>>;
  readonly figures: Figures;
  readonly skipped: { readonly unparsed: number; readonly tooLarge: number; readonly generated: number };
}
