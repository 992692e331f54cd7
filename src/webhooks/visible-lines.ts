/**
 * The lines of a comment without fenced code and HTML comments, as CommonMark reads them: a command in there is one that nobody meant
 * to give. Quoted and indented lines keep their `>` and their spaces, by which they are no commands.
 */
export function visibleLines(markdown: string): readonly string[] {
  const lines: string[] = [];
  let fence: Fence | null = null;
  let comment: OpenComment = 'none';
  for (const raw of markdown.split(/\r\n?|\n/)) {
    if (fence !== null) {
      if (closes(fence, raw)) fence = null;
      continue;
    }
    const { text, open }: ReturnType<typeof stripComments> = stripComments(raw, comment);
    comment = open;
    fence = opensFence(text);
    if (fence === null) lines.push(text);
  }
  return lines;
}

interface Fence {
  readonly mark: string;
  readonly length: number;
}

function opensFence(line: string): Fence | null {
  const match = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  const run = match?.[1];
  // The info string of a backtick fence holds no backtick; such a line is inline code.
  if (run === undefined || (run.startsWith('`') && match?.[2]?.includes('`'))) return null;
  return { mark: run.slice(0, 1), length: run.length };
}

function closes(fence: Fence, line: string): boolean {
  const run = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return run !== undefined && run.startsWith(fence.mark) && run.length >= fence.length;
}

/** `block`: until it is closed, as a comment that begins its line; `inline`: at most until the paragraph ends. */
type OpenComment = 'none' | 'block' | 'inline';

function stripComments(line: string, before: OpenComment): { readonly text: string; readonly open: OpenComment } {
  let open: OpenComment = before === 'inline' && line.trim() === '' ? 'none' : before;
  let text = '';
  let rest = line;
  while (rest !== '') {
    const mark = open === 'none' ? '<!--' : '-->';
    const at = rest.indexOf(mark);
    const outside = at < 0 ? rest : rest.slice(0, at);
    if (open === 'none') text += outside;
    if (at < 0) break;
    rest = rest.slice(at + mark.length);
    if (open !== 'none') open = 'none';
    else open = /^ {0,3}$/.test(text) ? 'block' : 'inline';
  }
  return { text, open };
}
