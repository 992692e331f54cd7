/**
 * Text from repositories, comments and tools as Markdown that does nothing: no HTML, no mention, no link, no image, no table
 * break, no hidden character. One line.
 */
export function inertText(text: string): string {
  return withoutHidden(text)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_[\]|~]/g, '\\$&')
    .replaceAll(/(^|[^\w])([@#])(?=\w)/g, '$1$2&#8203;')
    .replaceAll('://', ':&#8203;//');
}

/** A name or path as inline code, whatever backticks it holds. */
export function inertCode(text: string): string {
  const line = withoutHidden(text).replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** Several lines as a code block that its content cannot close. */
export function inertBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${withoutHidden(text).replaceAll(/\s+$/g, '')}\n${fence}`;
}

/** Removes what a reader cannot see: control, bidirectional, zero-width, tag and variation characters (line feed and tab stay). */
export function withoutHidden(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu, '');
}
