import type { DiffFile } from '../../git/parse-diff.ts';
import type { Evidence, GateCheck } from './evidence.ts';

/** Also a patch that only says again what is there. */
export const checkEmpty: GateCheck = ({ proposed, applied, files }) => {
  const nothing = applied === null ? proposed.files.length === 0 && proposed.problems.length === 0 : files.length === 0;
  return nothing
    ? [{ path: null, message: 'The patch changes nothing. Answer "noop" when nothing is worth changing.' }]
    : [];
};

/** Wrong counts alone are mended by `--recount`; what the result is, is judged by git's own diff. */
export const checkMalformed: GateCheck = ({ proposed }) =>
  proposed.problems
    .filter((problem) => problem.kind !== 'wrong-count')
    .map(({ line, message }) => ({
      path: null,
      message: `At line ${line} of the diff, ${message}. Give one section per file, in git's format, and nothing else.`,
    }));

export const checkApplies: GateCheck = ({ applyProblem }) =>
  applyProblem === null
    ? []
    : [{ path: null, message: `The patch does not apply: ${applyProblem}. Make it against the tree as it is now.` }];

/**
 * git searches a hunk's lines from where the header says, and takes the first place that fits. Where they stand in the file more
 * than once and not exactly there, that is a guess.
 */
export const checkContext: GateCheck = (evidence) =>
  evidence.proposed.files.flatMap((file) => {
    const message = findGuess(evidence, file);
    return message === null ? [] : [{ path: file.oldPath, message }];
  });

function findGuess({ before }: Evidence, file: DiffFile): string | null {
  const text = before.get(file.oldPath ?? '');
  if (text === undefined) return null;
  const lines = text.split('\n');
  let shift = 0;
  for (const hunk of file.hunks) {
    const preimage = hunk.lines.filter((line) => line[0] === ' ' || line[0] === '-').map((line) => line.slice(1));
    // git starts at the new position, in the text as the hunks before have left it: both must agree.
    const told = hunk.newStart === hunk.oldStart + shift;
    if (preimage.length > 0 && !(told && standsAt(lines, preimage, hunk.oldStart - 1)) && isRepeated(lines, preimage)) {
      return `The lines of the hunk at line ${hunk.oldStart} stand in the file more than once. Give the exact line numbers, or more context.`;
    }
    shift += hunk.newLines - hunk.oldLines;
  }
  return null;
}

function standsAt(lines: readonly string[], wanted: readonly string[], at: number): boolean {
  return at >= 0 && wanted.every((line, index) => lines[at + index] === line);
}

function isRepeated(lines: readonly string[], wanted: readonly string[]): boolean {
  let found = 0;
  for (let at = 0; at + wanted.length <= lines.length && found < 2; at++) if (standsAt(lines, wanted, at)) found++;
  return found > 1;
}
