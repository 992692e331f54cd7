/**
 * Text from repositories, comments and tools as Markdown that does nothing: no HTML, no mention, no reference, no link, no image, no
 * table break, no list or heading, no formula, no hidden character. One line.
 */
export function inertText(text: string): string {
  return (
    withoutHidden(text)
      .replaceAll(/\s+/g, ' ')
      .trim()
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll(/[\\`*_[\]|~$]/g, '\\$&')
      .replace(/^(\d{0,9})([-+=#.)])/, '$1\\$2')
      // What GitHub makes links of by itself: people, issues (`#1`, `owner/name#1`, `GH-1`), addresses with and without a protocol.
      .replaceAll(/[@#](?=\w)/g, '$&&#8203;')
      .replaceAll(/\b(GH)(?=-\d)/gi, '$1&#8203;')
      .replaceAll(/\b(www)(?=\.)/gi, '$1&#8203;')
      .replaceAll('://', ':&#8203;//')
  );
}

/** A name or path as inline code, whatever backticks it holds. */
export function inertCode(text: string): string {
  const line = withoutHidden(text).replaceAll(/\s+/g, ' ').trim().replaceAll('|', '\\|');
  // Nothing in backticks is an open code span.
  if (line === '') return '';
  const longest = longestBackticks(line);
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** Several lines as a code block that its content cannot close. */
export function inertBlock(text: string): string {
  // Measured on what is shown: a hidden character between two backticks goes.
  const shown = withoutHidden(text).trimEnd();
  const fence = '`'.repeat(Math.max(3, longestBackticks(shown) + 1));
  return `${fence}text\n${shown}\n${fence}`;
}

function longestBackticks(text: string): number {
  return [...text.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 0);
}

/** The first `maxCharacters` of a text, with a sign that there was more. */
export function clipText(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1).toWellFormed()}…`;
}

/** Removes what a reader cannot see: control, bidirectional, zero-width, tag, filler and variation characters (line feed and tab stay). */
export function withoutHidden(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu, '');
}
