import type { RunOptions } from '../../domain/options.ts';
import type { PackageManager, Toolchain } from '../../domain/toolchain.ts';
import type { Check } from '../../domain/verdict.ts';
import { INSIDE } from '../../domain/workspace.ts';
import { configuredCheck, detectChecks } from './detect-checks.ts';
import { detectPackageManager, type ReadText } from './detect-package-manager.ts';
import type { Scripts } from './find-test-runner.ts';
import { type PackageManifest, parsePackageManifest } from './package-manifest.ts';

/** The files of the tree's root that detection reads. Workspaces are installed and checked at the root. */
export const TOOLCHAIN_FILES = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'yarn.lock',
  '.yarnrc.yml',
  '.nvmrc',
  '.node-version',
  'tsconfig.json',
] as const;

/**
 * What the repository needs to be installed and checked; configured commands stand in place of detected ones.
 * `texts` holds those of `TOOLCHAIN_FILES` that the tree has. Pure; nothing in the texts is trusted to be well-formed.
 */
export function detectToolchain(
  texts: ReadonlyMap<string, string>,
  options: Pick<RunOptions, 'install' | 'fastVerifier' | 'fullVerifier'>,
): Toolchain {
  const readText: ReadText = (path) => texts.get(path) ?? null;
  const manifest = parsePackageManifest(readText('package.json') ?? '');
  const scripts = manifest?.scripts ?? {};
  const manager = manifest === null ? null : detectPackageManager(manifest, readText);
  const detected =
    manifest === null || manager === null
      ? { fast: [], full: [], notes: [] }
      : detectChecks(manifest, manager, readText);
  return {
    packageManager: manager,
    setup: manager === null ? [] : setupCommands(manager),
    install: options.install ?? (manager === null ? [] : [installCommand(manager, readText)]),
    variables: manager === null ? {} : managerVariables(manager),
    checks: configuredChecks({ ...options, scripts, detected }),
    notes: [...detected.notes, ...nodeNotes(manifest, readText)],
  };
}

/** A verifier that is not configured is the detected one; a full verifier without configuration includes a configured fast one. */
function configuredChecks(given: {
  readonly fastVerifier: readonly string[] | null;
  readonly fullVerifier: readonly string[] | null;
  readonly scripts: Scripts;
  readonly detected: { readonly fast: readonly Check[]; readonly full: readonly Check[] };
}): Toolchain['checks'] {
  const asChecks = (commands: readonly string[]): readonly Check[] =>
    commands.map((command) => configuredCheck(command, given.scripts));
  const fast = given.fastVerifier === null ? given.detected.fast : asChecks(given.fastVerifier);
  const detectedExtra = given.detected.full.filter((check) => !given.detected.fast.includes(check));
  const full = given.fullVerifier === null ? [...fast, ...detectedExtra] : asChecks(given.fullVerifier);
  return { fast, full };
}

/** Scripts stay off here too: a package manager's own dependencies are no more trusted than the repository's. */
function setupCommands(manager: PackageManager): readonly string[] {
  if (manager.name === 'npm') return [];
  const packageName = { pnpm: 'pnpm', yarn: 'yarn', 'yarn-berry': '@yarnpkg/cli-dist' }[manager.name];
  const flags = '--ignore-scripts --no-audit --no-fund --no-package-lock';
  return [`npm install --prefix ${INSIDE.tools} ${flags} ${packageName}@${manager.version}`];
}

function managerVariables(manager: PackageManager): Readonly<Record<string, string>> {
  switch (manager.name) {
    case 'npm':
      return { npm_config_update_notifier: 'false' };
    case 'pnpm':
      // Without these pnpm fetches another version of itself, or installs again before a script, and both need the network.
      return {
        npm_config_update_notifier: 'false',
        npm_config_manage_package_manager_versions: 'false',
        npm_config_verify_deps_before_run: 'false',
        pnpm_config_manage_package_manager_versions: 'false',
        pnpm_config_verify_deps_before_run: 'false',
      };
    case 'yarn':
      return { YARN_IGNORE_PATH: '1' };
    case 'yarn-berry':
      // The release in the tree is not run: the same version came from the registry. Plug'n'Play reads packages from the global
      // folder for as long as the checks run, so it cannot lie in the home directory, which is empty at each start.
      return { YARN_IGNORE_PATH: '1', YARN_ENABLE_TELEMETRY: '0', YARN_GLOBAL_FOLDER: `${INSIDE.tools}/.yarn` };
  }
}

/** Exactly what the lock file says, and no lifecycle script; a repository without a lock file gets what its ranges resolve to. */
function installCommand(manager: PackageManager, readText: ReadText): string {
  switch (manager.name) {
    case 'npm': {
      const locked = readText('package-lock.json') !== null || readText('npm-shrinkwrap.json') !== null;
      return `npm ${locked ? 'ci' : 'install --no-package-lock'} --ignore-scripts --no-audit --no-fund`;
    }
    case 'pnpm':
      return `pnpm install ${readText('pnpm-lock.yaml') === null ? '--no-lockfile' : '--frozen-lockfile'} --ignore-scripts`;
    case 'yarn': {
      const lock = readText('yarn.lock') === null ? '--no-lockfile' : '--frozen-lockfile';
      // The toolchain's Node is newer than most `engines` fields know.
      return `yarn install ${lock} --ignore-scripts --ignore-engines --non-interactive`;
    }
    case 'yarn-berry':
      return `yarn install ${readText('yarn.lock') === null ? '--no-immutable' : '--immutable'} --mode=skip-build`;
  }
}

function nodeNotes(manifest: PackageManifest | null, readText: ReadText): readonly string[] {
  const pinned = ['.nvmrc', '.node-version'].find((path) => readText(path) !== null);
  const asked = pinned === undefined ? manifest?.enginesNode : readText(pinned)?.trim().slice(0, 40);
  const place = pinned ?? 'package.json engines';
  // Most name a version in words that only a person reads ("lts/*", ">=18"), so it is said, not compared.
  return asked ? [`The repository asks for Node ${asked} (${place}); its checks run on the bot's own.`] : [];
}
