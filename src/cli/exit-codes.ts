/** What the process says when it ends; `docs/commands.md` lists them. */
export const EXIT_CODES = {
  /** Merged, and every named figure is lower. */
  ok: 0,
  error: 1,
  usage: 2,
  nothingToDo: 3,
  baselineRed: 4,
  refused: 5,
  /** The pull request was closed without a merge. */
  rejected: 6,
  /** Ctrl-C or SIGTERM before the end; what ran was stopped and tidied up. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];
