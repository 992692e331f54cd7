import { stripVTControlCharacters } from 'node:util';

const TAIL_CHARACTERS = 4000;

/** The last lines of what a command printed, fit for a comment: no colours, control or invisible characters; whole lines where possible. */
export function outputTail(output: string): string {
  // A few times the length: colours and progress lines are dropped, and the rest of a long output need not be looked at.
  const text = stripVTControlCharacters(output.slice(-TAIL_CHARACTERS * 5))
    .split('\n')
    .map(lastRewrite)
    .join('\n')
    .replaceAll(/[^\P{C}\n\t]/gu, '')
    .trim();
  if (text.length <= TAIL_CHARACTERS) return text;
  const tail = text.slice(-TAIL_CHARACTERS);
  const lineEnd = tail.indexOf('\n');
  return lineEnd === -1 || lineEnd > TAIL_CHARACTERS / 2 ? tail.toWellFormed() : tail.slice(lineEnd + 1);
}

/** Progress bars rewrite their line with carriage returns: a person sees only the last state. */
function lastRewrite(line: string): string {
  return line.replace(/\r+$/, '').split('\r').at(-1) ?? '';
}
