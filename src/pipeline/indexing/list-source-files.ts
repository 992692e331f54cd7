import picomatch from 'picomatch';
import type { TreeEntry } from '../../git/git-repository.ts';

export interface SourceFile {
  readonly path: string;
  readonly blob: string;
  readonly isTest: boolean;
}

export interface SourceListing {
  readonly files: readonly SourceFile[];
  readonly tooLarge: number;
  readonly generated: number;
}

const SOURCE = /\.(?:ts|tsx|mts|cts|js|jsx|mjs|cjs)$/;
const MAX_BYTES = 1024 * 1024;
const isGenerated = picomatch(
  [
    '**/*.d.{ts,mts,cts}',
    '**/*.min.{js,mjs,cjs}',
    '**/{dist,build,out,lib-cov,coverage,vendor,vendored,third_party,third-party,node_modules,generated,__generated__}/**',
    '**/*.{generated,gen,pb}.{ts,tsx,js,mjs}',
    '**/.yarn/**',
  ],
  { dot: true },
);
/** Also what only shows or measures: nobody gains from an example without unused variables. */
const isTestPath = picomatch(
  [
    '**/{test,tests,spec,specs,e2e,fixtures,testdata,bench,benchmarks,examples,example,sample,samples,playground,perf}/**',
    '**/__{tests,mocks,fixtures,testfixtures,snapshots}__/**',
    // `typescript_test`, `runtime-tests`, `test-d`, `perf-measures`
    '**/*{-,_}{test,tests,fixtures,benchmarks}/**',
    '**/{test-d,type-tests,perf-*}/**',
    '**/*.{test,spec,test-d,tst,typetest,bench,e2e,stories}.{ts,tsx,mts,cts,js,jsx,mjs,cjs}',
    '**/*.config.{ts,mts,cts,js,mjs,cjs}',
  ],
  { dot: true },
);

/** The source files of a tree, in order of path. Symlinks and submodules are never followed: only regular files count. */
export function listSourceFiles(entries: readonly TreeEntry[]): SourceListing {
  const files: SourceFile[] = [];
  let tooLarge = 0;
  let generated = 0;
  for (const entry of entries) {
    if (!SOURCE.test(entry.path) || !entry.mode.startsWith('100')) continue;
    if (isGenerated(entry.path)) generated += 1;
    else if ((entry.size ?? 0) > MAX_BYTES) tooLarge += 1;
    else files.push({ path: entry.path, blob: entry.oid, isTest: isTestPath(entry.path) });
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, tooLarge, generated };
}
