import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

import { trusted } from './html.ts';
import type { Html } from './html.ts';

const markdown = new MarkdownIt({ html: true, linkify: true, breaks: true });
// `foo.ts` is a file name here, never the address of a site in Tonga.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
markdown.core.ruler.after('inline', 'task-lists', ({ tokens, Token }) => {
  for (const [index, token] of tokens.entries()) {
    const item = tokens[index - 2];
    const text = token.children?.[0];
    if (token.type !== 'inline' || item?.type !== 'list_item_open' || text?.type !== 'text') continue;
    const box = /^\[(?<state>[ xX])\]\s/u.exec(text.content);
    if (!box) continue;
    item.attrSet('class', 'task');
    text.content = text.content.slice(box[0].length);
    const checkbox = new Token('html_inline', '', 0);
    checkbox.content = `<input type="checkbox" disabled${box.groups?.['state'] === ' ' ? '' : ' checked'}> `;
    token.children?.unshift(checkbox);
  }
});
markdown.core.ruler.after('task-lists', 'references', (state) => {
  const { repository } = state.env as { repository?: string };
  if (repository === undefined) return;
  for (const { children } of state.tokens) {
    if (!children) continue;
    let inLink = 0;
    for (const [index, token] of [...children.entries()].toReversed()) {
      if (token.type === 'link_close') inLink += 1;
      if (token.type === 'link_open') inLink -= 1;
      if (token.type !== 'text' || inLink > 0 || !reference.test(token.content)) continue;
      children.splice(index, 1, ...linkReferences(token, repository, state.Token));
    }
  }
});

/** `#12`, a full commit id, and `@name`, where no word touches them from the left. */
const reference = /(?<![\w/#@&])(?:#\d+|[\da-f]{40}|@[a-z\d](?:[a-z\d-]*[a-z\d])?)\b/u;

function linkReferences(token: Token, repository: string, create: typeof Token): Token[] {
  const pieces = token.content.split(new RegExp(`(${reference.source})`, 'giu'));
  return pieces.flatMap((piece, index) => {
    const text = new create('text', '', 0);
    text.content = piece;
    if (index % 2 === 0) return piece === '' ? [] : [text];
    const open = new create('link_open', 'a', 1);
    open.attrSet('href', address(piece, repository));
    if (/^[\da-f]{40}$/u.test(piece)) {
      text.content = piece.slice(0, 7);
      open.attrSet('title', piece);
    }
    return [open, text, new create('link_close', 'a', -1)];
  });
}

function address(piece: string, repository: string): string {
  if (piece.startsWith('#')) return `/${repository}/issues/${piece.slice(1)}`;
  return piece.startsWith('@') ? `/${piece.slice(1)}` : `/${repository}/commit/${piece}`;
}

const sanitizer: sanitizeHtml.IOptions = {
  allowedTags: [
    'h1 h2 h3 h4 h5 h6 p div span br hr blockquote pre code kbd samp b strong i em s del ins sub sup small var abbr',
    'a input ul ol li dl dt dd table thead tbody tr th td details summary',
  ].flatMap((names) => names.split(' ')),
  // No id, name or data-*: they could clobber what the page's own script looks up.
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    abbr: ['title'],
    code: ['class'],
    details: ['open'],
    input: ['type', 'checked', 'disabled'],
    li: ['class'],
    ol: ['start'],
    td: ['align', 'colspan', 'rowspan'],
    th: ['align', 'colspan', 'rowspan'],
  },
  allowedClasses: { code: [/^language-[\w+#-]+$/u], li: ['task'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  transformTags: {
    a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow noreferrer' }),
    // Pictures would have to come from other hosts, which the page does not speak to; GitHub proxies them.
    img: (_, { src = '', alt = '' }) => ({ tagName: 'a', attribs: { href: src }, text: alt || 'image' }),
    input: (_, attributes) => ({
      tagName: 'input',
      attribs: { type: 'checkbox', disabled: '', ...('checked' in attributes ? { checked: '' } : {}) },
    }),
    td: alignByAttribute('td'),
    th: alignByAttribute('th'),
  },
};

/** markdown-it aligns table cells by a style attribute, which the sanitiser rightly refuses. */
function alignByAttribute(tagName: string): sanitizeHtml.Transformer {
  return (_, { style, ...attribs }) => {
    const align = /text-align:\s*(?<side>left|center|right)/u.exec(style ?? '')?.groups?.['side'];
    return { tagName, attribs: align === undefined ? attribs : { ...attribs, align } };
  };
}

/** Renders a comment as GitHub does; whatever its author wrote, the result runs no script and submits no form. */
export function renderMarkdown(text: string, repository?: string): Html {
  return trusted(sanitizeHtml(markdown.render(text, { repository }), sanitizer));
}
