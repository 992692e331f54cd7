import { parse as parseYaml } from 'yaml';
import type { PackageManager } from '../../domain/toolchain.ts';
import type { PackageManifest } from './package-manifest.ts';

/** Texts of the tree's root, by path; null for a file that is not there. */
export type ReadText = (path: string) => string | null;

/** What may stand in a shell command without quoting; anything else in a version is refused, not escaped. */
const VERSION = /^[0-9]+(?:\.[0-9]+){0,2}(?:-[0-9A-Za-z.-]+)?$/;

/** The package manager the repository names, else the one its lock file was written by, else npm. */
export function detectPackageManager(manifest: PackageManifest, readText: ReadText): PackageManager {
  return (
    fromPackageManagerField(manifest) ?? fromDevEngines(manifest) ?? fromLockFile(readText) ?? bundledNpm('default')
  );
}

function fromPackageManagerField(manifest: PackageManifest): PackageManager | null {
  const match = /^(npm|pnpm|yarn)@([^+]+)(?:\+.*)?$/.exec(manifest.packageManager ?? '');
  return named(match?.[1], match?.[2], 'packageManager field');
}

function fromDevEngines(manifest: PackageManifest): PackageManager | null {
  const asked = manifest.devEnginesPackageManager;
  return named(asked?.name, asked?.version.replace(/^[\^~]/, ''), 'devEngines field');
}

function named(
  name: string | undefined,
  version: string | undefined,
  source: PackageManager['source'],
): PackageManager | null {
  // Every npm reads every package-lock, so the bundled one serves, and nothing has to be fetched.
  if (name === 'npm') return bundledNpm(source);
  if (version === undefined || !VERSION.test(version)) return null;
  if (name === 'pnpm') return { name, version, source };
  if (name === 'yarn') return { name: Number.parseInt(version, 10) >= 2 ? 'yarn-berry' : 'yarn', version, source };
  return null;
}

function fromLockFile(readText: ReadText): PackageManager | null {
  const source = 'lock file';
  const pnpmLock = readText('pnpm-lock.yaml');
  if (pnpmLock !== null) return { name: 'pnpm', version: pnpmVersionFor(pnpmLock, readText), source };
  const yarnLock = readText('yarn.lock');
  if (yarnLock !== null) {
    const format = /^__metadata:\s*\n\s+version: (\d+)/m.exec(yarnLock)?.[1];
    if (format === undefined) return { name: 'yarn', version: '1.22.22', source };
    return fromYarnPath(readText) ?? { name: 'yarn-berry', version: berryVersionFor(Number(format)), source };
  }
  const npmLocks = ['package-lock.json', 'npm-shrinkwrap.json'];
  return npmLocks.some((path) => readText(path) !== null) ? bundledNpm(source) : null;
}

/** The release that the repository committed. Its name is believed, its code is not run: the same version comes from the registry. */
function fromYarnPath(readText: ReadText): PackageManager | null {
  const version = /^yarnPath:.*\byarn-(\d+\.\d+\.\d+)\.cjs/m.exec(readText('.yarnrc.yml') ?? '')?.[1];
  return version === undefined ? null : { name: 'yarn-berry', version, source: 'yarnPath setting' };
}

function berryVersionFor(format: number): string {
  if (format <= 4) return '2';
  return format <= 6 ? '3' : '4';
}

function pnpmVersionFor(lockFile: string, readText: ReadText): string {
  const format = Number.parseFloat(/^lockfileVersion: ['"]?([\d.]+)/m.exec(lockFile)?.[1] ?? '9');
  if (format < 5.4) return '6';
  if (format < 6) return '7';
  if (format < 9) return '8';
  // 9 and 10 write the same format, but only 10 reads settings from the workspace file, and they are part of a frozen lock.
  return workspaceHasSettings(readText('pnpm-workspace.yaml')) ? '10' : '9';
}

const SINCE_PNPM_9 = new Set(['packages', 'catalog', 'catalogs']);

function workspaceHasSettings(text: string | null): boolean {
  if (text === null) return false;
  try {
    const workspace = parseYaml(text, { maxAliasCount: 20, schema: 'failsafe', logLevel: 'error' }) as unknown;
    if (typeof workspace !== 'object' || workspace === null) return false;
    return Object.keys(workspace).some((key) => !SINCE_PNPM_9.has(key));
  } catch {
    return false;
  }
}

function bundledNpm(source: PackageManager['source']): PackageManager {
  return { name: 'npm', version: 'bundled', source };
}
