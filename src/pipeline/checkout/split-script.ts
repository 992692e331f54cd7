/** One simple command of a shell line, and how it is joined to what stands before it. */
export interface SimpleCommand {
  readonly words: readonly string[];
  readonly joinedBy: '' | '&&' | ';' | '||' | '|' | '&';
}

const JOINTS = ['&&', '||', ';', '\n', '|', '&'] as const;

/**
 * The simple commands of a script, in order; null when it uses more of the shell than words, quotes and joints (redirections,
 * groups, substitutions, comments): appending an argument to such a line may not reach the command it is meant for.
 */
export function splitScript(script: string): readonly SimpleCommand[] | null {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let joinedBy: SimpleCommand['joinedBy'] = '';
  let rest = script.trim();
  while (rest !== '') {
    const joint = JOINTS.find((candidate) => rest.startsWith(candidate));
    if (joint !== undefined) {
      if (words.length === 0) return null;
      commands.push({ words, joinedBy });
      words = [];
      joinedBy = joint === '\n' ? ';' : joint;
      rest = rest.slice(joint.length).trimStart();
      continue;
    }
    const word = readWord(rest);
    if (word === null) return null;
    words.push(word.value);
    rest = rest.slice(word.length).replace(/^[ \t]+/, '');
  }
  if (words.length > 0) commands.push({ words, joinedBy });
  return commands;
}

/** Quoted and unquoted pieces that stand together, up to a blank or a joint. */
function readWord(text: string): { value: string; length: number } | null {
  if (text.startsWith('#')) return null;
  const piece = /'([^']*)'|"((?:[^"\\`$]|\\.|\$(?!\())*)"|\\(.)|([^\s'"\\;&|<>()`$#]+|\$(?!\()|#)/sy;
  let value = '';
  let length = 0;
  while (length < text.length && !/[\s;&|]/.test(text.charAt(length))) {
    piece.lastIndex = length;
    const match = piece.exec(text);
    if (match === null) return null;
    value += match[1] ?? match[2]?.replaceAll(/\\(["\\$`])/g, '$1') ?? match[3] ?? match[4] ?? '';
    length = piece.lastIndex;
  }
  return { value, length };
}
