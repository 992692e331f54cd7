import { createRequire } from 'node:module';
import { dirname, extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mount } from '../sandbox/sandbox.ts';
import { INSIDE, type TrustedPath, type Workspace } from '../domain/workspace.ts';

const OPERATIONS = `${INSIDE.bot}/operations`;
const PACKAGES = `${INSIDE.bot}/node_modules`;

/** The program as the sandbox sees it: TypeScript in a checkout, JavaScript when installed; beside this file either way. */
export function programInside(): string {
  return `${OPERATIONS}/main${extname(fileURLToPath(import.meta.url))}`;
}

/** Everything the program reads, all of it read-only: the checkout, the request, Node, itself, and the compiler it works with. */
export function programMounts(workspace: Workspace): Mount[] {
  const readOnly = (host: TrustedPath, at: string): Mount => ({ host, at, mode: 'ro' });
  return [
    readOnly(workspace.treeDir, INSIDE.tree),
    readOnly(workspace.exchangeDir, INSIDE.exchange),
    readOnly(workspace.toolchainDir, INSIDE.toolchain),
    readOnly(dirname(fileURLToPath(import.meta.url)) as TrustedPath, OPERATIONS),
    ...compilerPackages().map(({ folder, name }) => readOnly(folder, `${PACKAGES}/${name}`)),
  ];
}

/** `typescript` is an alias of a package that only hands on another: both have to be there. */
function compilerPackages(): { folder: TrustedPath; name: string }[] {
  const entry = fileURLToPath(import.meta.resolve('typescript'));
  const alias = { folder: packageFolder(entry, 'typescript'), name: 'typescript' };
  try {
    const behind = createRequire(entry).resolve('@typescript/old');
    return [alias, { folder: packageFolder(behind, '@typescript/old'), name: '@typescript/old' }];
  } catch {
    return [alias];
  }
}

function packageFolder(entry: string, name: string): TrustedPath {
  const folder = join('node_modules', ...name.split('/')) + sep;
  return entry.slice(0, entry.lastIndexOf(folder) + folder.length - 1) as TrustedPath;
}
