import type { GateCheck } from './evidence.ts';

/** Only what can hardly be anything else: a false alarm costs an attempt, so no guessing by entropy or by the names of variables. */
const SECRETS: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/],
  ['a Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{20,}/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['an Anthropic key', /\bsk-ant-[A-Za-z0-9_-]{24,}/],
  ['a Google API key', /\bAIza[A-Za-z0-9_-]{35}\b/],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{20,}/],
];

/** In lines that are new to the whole patch: one that moved from another file was there before. The secret itself is never repeated. */
export const checkSecrets: GateCheck = ({ files }) => {
  const lines = files.map((file) => ({ file, lines: file.hunks.flatMap((hunk) => hunk.lines) }));
  const removed = new Set(lines.flatMap((each) => linesWith(each.lines, '-')));
  return lines.flatMap((each) => {
    const added = linesWith(each.lines, '+').filter((line) => !removed.has(line));
    const found = SECRETS.filter(([, pattern]) => added.some((line) => pattern.test(line)));
    return found.map(([name]) => ({
      path: each.file.newPath,
      message: `An added line holds what looks like ${name}. Secrets do not belong into a repository.`,
    }));
  });
};

function linesWith(lines: readonly string[], prefix: '+' | '-'): readonly string[] {
  return lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(1));
}
