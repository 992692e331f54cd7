import { INSIDE } from '../domain/workspace.ts';

/** The home directory as every sandboxed command sees it: empty at each start, gone at its end. */
export const INSIDE_HOME = '/home/sandbox';

/**
 * What every command of a repository sees, with either driver; the caller adds to it and passes the whole as `SandboxSpec.env`.
 * Inside paths only. Tools that the repository asked for come before the toolchain, and both before the system's.
 * `NO_COLOR` is left out on purpose: test suites that check coloured output fail under it.
 */
export function baseEnvironment(): Readonly<Record<string, string>> {
  return {
    PATH: [
      `${INSIDE.tools}/node_modules/.bin`,
      `${INSIDE.tools}/bin`,
      `${INSIDE.toolchain}/bin`,
      '/usr/local/bin',
      '/usr/bin',
      '/bin',
    ].join(':'),
    HOME: INSIDE_HOME,
    USER: 'sandbox',
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    CI: 'true',
    TERM: 'dumb',
  };
}
