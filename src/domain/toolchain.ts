import type { Check } from './verdict.ts';

/** What a repository needs to be installed and checked, and where that was read. */
export interface Toolchain {
  /** Null: not a JavaScript repository; only configured commands are run then. */
  readonly packageManager: PackageManager | null;
  /** Shell commands that bring the package manager itself into `INSIDE.tools`; run in order, registries reachable. */
  readonly setup: readonly string[];
  /** Shell commands that install the dependencies, run in order at the root of the tree, registries reachable. */
  readonly install: readonly string[];
  /** What the package manager needs in the environment of every command, installation and checks alike. */
  readonly variables: Readonly<Record<string, string>>;
  /** Each level's complete list: `full` repeats what it shares with `fast`. */
  readonly checks: { readonly fast: readonly Check[]; readonly full: readonly Check[] };
  /** Scripts that look like checks and are not used, and other things a person should know: one sentence each. */
  readonly notes: readonly string[];
}

export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'yarn-berry';
  /** `9.1.0`, or a range that the registry resolves (`9`). `bundled` for npm: the one that comes with the toolchain's Node. */
  readonly version: string;
  readonly source: 'packageManager field' | 'devEngines field' | 'yarnPath setting' | 'lock file' | 'default';
}
