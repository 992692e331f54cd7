/** GitHub's limit for comments, issues, pull requests and the summary of a check run, less one as check runs have it. */
const MAX_CHARACTERS = 65_535;
const NOTICE = '\n\n…\n\n*Cut here: the code host takes no longer text.*';

/** A body the host accepts: the text itself, or its beginning with a line that says so. */
export function cutBody(markdown: string): string {
  if (markdown.length <= MAX_CHARACTERS) return markdown;
  // Room for a fence that has to be closed.
  const kept = wholeLines(markdown.slice(0, MAX_CHARACTERS - NOTICE.length - 20));
  return `${kept}${openFence(kept)}${NOTICE}`;
}

/** Up to the last line break, so that neither a table row nor a character of two halves is torn; a single long line is torn all the same. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > text.length / 2 ? text.slice(0, end) : text.replace(/[\uD800-\uDBFF]$/, '');
}

/** What closes a code block that the cut left open; empty when none is. */
function openFence(markdown: string): string {
  let fence = '';
  for (const [, mark = ''] of markdown.matchAll(/^ {0,3}(`{3,})/gm)) {
    if (fence === '') fence = mark;
    else if (mark.length >= fence.length) fence = '';
  }
  return fence === '' ? '' : `\n${fence}`;
}
