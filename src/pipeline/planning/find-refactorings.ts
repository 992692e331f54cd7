import picomatch from 'picomatch';
import type { CodeIndex, IndexedFile } from '../../domain/code-index.ts';
import type { Finding } from '../../domain/finding.ts';
import type { RunOptions } from '../../domain/options.ts';
import { scopeOfRequest } from './read-request.ts';

/** Where to look, and what is too much. */
export type FindingOptions = Pick<RunOptions, 'scopeIncludes' | 'scopeExcludes' | 'limits'>;

/**
 * The reasons to refactor that an index holds, heaviest first. Tests, unparsed files and what is outside of the configured scope or
 * of what the request names give none.
 */
export function findRefactorings(index: CodeIndex, options: FindingOptions, request = ''): Finding[] {
  const configured = scopeFilter(options);
  const asked = scopeOfRequest(
    request,
    index.files.map((file) => file.path),
  );
  const inScope = (path: string) => configured(path) && asked(path);
  const findings = index.files
    .filter((file) => file.parsed && !file.isTest && inScope(file.path))
    .flatMap((file) => findingsOf(file, options.limits));
  const cycles = index.valueCycles.filter((members) => members.every(inScope)).map((members) => cycleFinding(members));
  return [...findings, ...cycles]
    .map((finding) => ({ ...finding, weight: finding.weight * hotspot(index, finding.path) }))
    .toSorted((a, b) => b.weight - a.weight || compare(a.path, b.path));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The globs of the configuration, read as the gate reads them: none negates, and a path is always a glob for itself. */
function scopeFilter({ scopeIncludes, scopeExcludes }: FindingOptions): (path: string) => boolean {
  const matcher = (globs: readonly string[]) => {
    const matches = picomatch([...globs], { dot: true, nonegate: true });
    return (path: string) => globs.includes(path) || matches(path);
  };
  const included = scopeIncludes.length === 0 ? () => true : matcher(scopeIncludes);
  const excluded = scopeExcludes.length === 0 ? () => false : matcher(scopeExcludes);
  return (path) => included(path) && !excluded(path);
}

function findingsOf(file: IndexedFile, limits: RunOptions['limits']): Finding[] {
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
