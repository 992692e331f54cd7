import picomatch from 'picomatch';
import type { CodeIndex, IndexedFile } from '../../domain/code-index.ts';
import type { Finding } from '../../domain/finding.ts';
import type { RunOptions } from '../../domain/options.ts';

/** The reasons to refactor that an index holds, heaviest first. Tests, generated files and what the scope excludes give none. */
export function findRefactorings(index: CodeIndex, options: RunOptions): Finding[] {
  const inScope = scopeFilter(options);
  const findings = index.files
    .filter((file) => !file.isTest && inScope(file.path))
    .flatMap((file) => findingsOf(file, options));
  const cycles = index.valueCycles.filter((members) => members.every(inScope)).map((members) => cycleFinding(members));
  return [...findings, ...cycles]
    .map((finding) => ({ ...finding, weight: finding.weight * hotspot(index, finding.path) }))
    .toSorted((a, b) => b.weight - a.weight || (a.path < b.path ? -1 : 1));
}

/** True for paths that a run may change. */
export function scopeFilter(options: Pick<RunOptions, 'scopeIncludes' | 'scopeExcludes'>): (path: string) => boolean {
  const included =
    options.scopeIncludes.length === 0 ? () => true : picomatch([...options.scopeIncludes], { dot: true });
  const excluded =
    options.scopeExcludes.length === 0 ? () => false : picomatch([...options.scopeExcludes], { dot: true });
  return (path) => included(path) && !excluded(path);
}

function findingsOf(file: IndexedFile, options: RunOptions): Finding[] {
  const { limits } = options;
  const findings: Finding[] = [];
  const add = (finding: Omit<Finding, 'path'>) => findings.push({ path: file.path, ...finding });
  if (file.lines > limits.fileLines) {
    const threshold = limits.fileLines;
    add({
      rule: 'file-too-long',
      symbols: [],
      figure: 'linesOverLimit',
      measured: file.lines,
      threshold,
      // Twice the limit is "must split", so weight grows faster from there.
      weight: (file.lines / threshold) * (file.lines > 2 * threshold ? 2 : 1),
    });
  }
  for (const entry of file.functions.filter((measured) => measured.lines > limits.functionLines)) {
    add({
      rule: 'function-too-long',
      symbols: [entry.name],
      figure: 'longFunctions',
      measured: entry.lines,
      threshold: limits.functionLines,
      weight: entry.lines / limits.functionLines,
    });
  }
  for (const entry of file.classes.filter((measured) => measured.methods > limits.classMethods)) {
    add({
      rule: 'class-too-large',
      symbols: [entry.name],
      figure: 'largeClasses',
      measured: entry.methods,
      threshold: limits.classMethods,
      weight: entry.methods / limits.classMethods,
    });
  }
  const unused = [
    { rule: 'unused-import', figure: 'unusedImports', symbols: file.unusedImports },
    { rule: 'unused-declaration', figure: 'unusedDeclarations', symbols: file.unusedDeclarations },
  ] as const;
  for (const { rule, figure, symbols } of unused) {
    if (symbols.length > 0)
      add({ rule, symbols, figure, measured: symbols.length, threshold: 0, weight: Math.sqrt(symbols.length) });
  }
  return findings;
}

function cycleFinding(members: readonly string[]): Finding {
  return {
    rule: 'import-cycle',
    path: members[0] ?? '',
    symbols: members.slice(1),
    figure: 'valueCycles',
    measured: members.length,
    threshold: 1,
    weight: 2,
  };
}

/** Files that change often matter more: 1 for an untouched file, growing with the logarithm of its commits in the last year. */
function hotspot(index: CodeIndex, path: string): number {
  return 1 + Math.log2(1 + (index.churn[path] ?? 0)) / 4;
}
