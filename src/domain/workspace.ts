declare const trusted: unique symbol;
/** An absolute host path that the bot itself made; never derived from what a repository contains. */
export type TrustedPath = string & { readonly [trusted]: true };

/** The directories of one run. Each is a cache: all can be made again from the code host and the ledger. */
export interface Workspace {
  /** Bare, trusted: the only git directory host git ever opens. */
  readonly gitDir: TrustedPath;
  /** The checkout, without `.git`; written by untrusted code, so only the sandbox reads or writes it after the first install. */
  readonly treeDir: TrustedPath;
  /** Package managers the repository asked for, installed from the registry; read-only in verification. */
  readonly toolsDir: TrustedPath;
  /** Node and npm as the sandbox sees them; made once for the installation, never written by a run. */
  readonly toolchainDir: TrustedPath;
  /** Requests and reports that pass between host and sandbox; emptied before each use. */
  readonly exchangeDir: TrustedPath;
}

/** Where the directories of a workspace appear inside the sandbox. */
export const INSIDE = {
  tree: '/work',
  git: '/repository.git',
  tools: '/opt/tools',
  toolchain: '/opt/toolchain',
  exchange: '/exchange',
  bot: '/opt/refactor-bot',
} as const;
