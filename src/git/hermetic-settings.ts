import type { SimpleGitOptions } from 'simple-git';

/** What the operator's installation may hand to git. Nothing else of the bot's own environment reaches it. */
export interface GitSurroundings {
  /** Certificate bundle for HTTPS, where the system's own is not enough (a network that inspects TLS). */
  readonly caFile?: string;
  /** Where git and its helpers are found. */
  readonly searchPath?: string;
}

/** The one transport a call may use; `none` for everything that stays in the repository. */
export type Transport = 'none' | 'https' | 'http' | 'file';

const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

/** An absolute directory that does not exist: no `.netrc`, no `.gitconfig`, no `.config` can be found in it. */
const NO_HOME = '/nonexistent';

/**
 * Forced on every call, on the command line, where nothing in the repository can override it. One line each: the setting, its
 * value and, where simple-git guards it, the opt-in that lets us set it *harmlessly*.
 */
const FORCED = [
  ['core.hooksPath', '/dev/null', 'allowUnsafeHooksPath'],
  ['core.fsmonitor', 'false', 'allowUnsafeFsMonitor'],
  ['core.attributesFile', '/dev/null', null],
  ['core.excludesFile', '/dev/null', null],
  ['core.sshCommand', '/bin/false', 'allowUnsafeSshCommand'],
  ['core.gitProxy', '', 'allowUnsafeGitProxy'],
  ['core.askPass', '/bin/false', 'allowUnsafeAskPass'],
  ['core.pager', 'cat', 'allowUnsafePager'],
  ['core.editor', ':', 'allowUnsafeEditor'],
  ['core.protectHFS', 'true', null],
  ['core.protectNTFS', 'true', null],
  ['credential.helper', '', 'allowUnsafeCredentialHelper'],
  ['protocol.allow', 'never', 'allowUnsafeProtocolOverride'],
  ['http.followRedirects', 'false', null],
  ['http.proxy', '', null],
  ['transfer.fsckObjects', 'true', null],
  // Mistakes of old git versions that stand for ever in the history of well-known repositories and harm nobody.
  ['fetch.fsck.badTimezone', 'ignore', null],
  ['fetch.fsck.missingNameBeforeEmail', 'ignore', null],
  ['fetch.fsck.missingSpaceBeforeDate', 'ignore', null],
  ['fetch.fsck.missingSpaceBeforeEmail', 'ignore', null],
  ['fetch.fsck.zeroPaddedFilemode', 'ignore', null],
  ['fetch.recurseSubmodules', 'false', null],
  ['push.recurseSubmodules', 'no', null],
  ['submodule.recurse', 'false', null],
  ['diff.ignoreSubmodules', 'all', null],
  ['diff.external', '', 'allowUnsafeDiffExternal'],
  ['commit.gpgSign', 'false', null],
  ['tag.gpgSign', 'false', null],
  ['log.showSignature', 'false', null],
  ['gpg.program', '/bin/false', 'allowUnsafeGpgProgram'],
  ['gc.auto', '0', null],
  ['maintenance.auto', 'false', null],
  ['safe.bareRepository', 'explicit', null],
  ['init.templateDir', '', 'allowUnsafeTemplateDir'],
] as const satisfies readonly (readonly [string, string, GuardName | null])[];

type GuardName = keyof NonNullable<SimpleGitOptions['unsafe']>;

/** Guards of simple-git that our environment and arguments trip, beside those of the table. */
const OTHER_GUARDS: readonly GuardName[] = ['allowUnsafeConfigPaths', 'allowUnsafeConfigEnvCount'];

/** `key=value` pairs for `-c`. */
export function forcedConfiguration(transport: Transport): readonly string[] {
  const forced = FORCED.map(([key, value]) => `${key}=${value}`);
  return transport === 'none' ? forced : [...forced, `protocol.${transport}.allow=always`];
}

/** Exactly the opt-ins that the settings above need: simple-git goes on refusing everything else. */
export function simpleGitOptIns(): NonNullable<SimpleGitOptions['unsafe']> {
  const names = [...FORCED.flatMap(([, , guard]) => (guard === null ? [] : [guard])), ...OTHER_GUARDS];
  return Object.fromEntries(names.map((name) => [name, true]));
}

/** The whole environment of a git process: nothing is inherited. `gitDir` is the trusted bare repository. */
export function hermeticEnvironment(
  gitDir: string,
  transport: Transport,
  surroundings: GitSurroundings,
): Record<string, string> {
  return {
    PATH: surroundings.searchPath ?? SEARCH_PATH,
    HOME: NO_HOME,
    XDG_CONFIG_HOME: NO_HOME,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    GIT_DIR: gitDir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    SSH_ASKPASS: '/bin/false',
    GIT_SSH_COMMAND: '/bin/false',
    // Outranks every `protocol.*` setting. `none` is no protocol at all.
    GIT_ALLOW_PROTOCOL: transport,
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PAGER: 'cat',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    ...(surroundings.caFile === undefined ? {} : { GIT_SSL_CAINFO: surroundings.caFile }),
  };
}
