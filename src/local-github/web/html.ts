const mark: unique symbol = Symbol('html');

/** Markup that is safe to send: only `html` and `trusted` make it, so plain text can never pass for it. */
export interface Html {
  readonly [mark]: string;
}

export type Content = Html | string | number | null | undefined | false | readonly Content[];

/** Template tag: text in `${…}` is escaped, `Html` is kept, lists are joined, null and false vanish. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) text += render(value) + (strings[index + 1] ?? '');
  return { [mark]: text };
}

/** For markup from elsewhere that has been sanitised or is constant. */
export function trusted(markup: string): Html {
  return { [mark]: markup };
}

export function render(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (typeof content === 'string') return escapeHtml(content);
  if (typeof content === 'number') return String(content);
  return mark in content ? content[mark] : content.map(render).join('');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
