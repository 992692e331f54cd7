import { posix } from 'node:path';

const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
/** What a written JavaScript extension may stand for in TypeScript sources. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.js', '.jsx'],
  '.jsx': ['.tsx', '.jsx'],
  '.mjs': ['.mts', '.mjs'],
  '.cjs': ['.cts', '.cjs'],
};

/**
 * The repository file a relative specifier leads to, or null. Only relative specifiers are resolved: those of packages and path
 * aliases leave no edge, so cycles through aliases are not seen.
 */
export function resolveImport(from: string, specifier: string, paths: ReadonlySet<string>): string | null {
  if (!/^\.{1,2}(?:\/|$)/.test(specifier)) return null;
  const target = posix.join(posix.dirname(from), specifier).replace(/\/$/, '');
  return candidatesFor(target).find((candidate) => paths.has(candidate)) ?? null;
}

function candidatesFor(target: string): string[] {
  const extension = posix.extname(target);
  const stem = target.slice(0, target.length - extension.length);
  const written = (WRITTEN_AS[extension] ?? []).map((real) => stem + real);
  return [
    ...written,
    target,
    ...EXTENSIONS.map((added) => target + added),
    ...EXTENSIONS.map((added) => posix.join(target, `index${added}`)),
  ];
}
