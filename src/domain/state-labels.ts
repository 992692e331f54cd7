/**
 * Labels that say how the last run asked for on an issue stands. They replace the label that asked, so that adding it again asks
 * again. `color` is six hexadecimal digits.
 */
export const STATE_LABELS = {
  running: { name: 'refactor: running', color: 'fbca04', description: 'refactor-bot is at work on this' },
  done: { name: 'refactor: done', color: '0e8a16', description: 'refactor-bot has finished this' },
  failed: { name: 'refactor: failed', color: 'd93f0b', description: 'refactor-bot could not do this' },
} as const;

export const STATE_LABEL_NAMES: readonly string[] = Object.values(STATE_LABELS).map((label) => label.name);
