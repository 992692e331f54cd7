import * as fc from 'fast-check';
import markdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { clipText, inertBlock, inertCode, inertText, withoutHidden } from '../../../src/domain/markdown.ts';

/** As open as a renderer can be: raw HTML passes, and addresses with a protocol become links. */
const renderer = markdownIt({ html: true, linkify: true });
renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: true });

const tagsIn = (html: string) => [...html.matchAll(/<(?!\/)([a-z0-9]+)/gi)].map((match) => match[1]);
const textIn = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '<!-- hidden -->',
  '&lt;b&gt;',
  '</details><script>1</script>',
  '![x](https://evil.example/a.png)',
  '[click](javascript:alert(1))',
  '[ref]: https://evil.example',
  'https://evil.example/path',
  'www.evil.example',
  'someone@evil.example',
  '<https://evil.example>',
  '**bold** _it_ ~~no~~ `code` ``` ```',
  '# heading',
  '- item',
  '+ item',
  '1. item',
  '23) item',
  '> quote',
  '---',
  '===',
  '- [ ] task',
  '| a | b |',
  '$\\sqrt{x}$',
  '\\',
  '\\`',
  'two\nlines\r\n# second',
  '```\nfence',
];
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.string({ unit: 'grapheme-ascii' }),
      fc.constantFrom('`', '\\', '|', '\n', ' ', '@', '#'),
    ),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(''));

describe('inertText', () => {
  it.each(HOSTILE)('shows %j as it is and does nothing', (text) => {
    const html = renderer.render(inertText(text));
    expect(tagsIn(html)).toEqual(['p']);
    expect(textIn(html).replaceAll('\u200b', '').trim()).toBe(text.replaceAll(/\s+/g, ' '));
  });

  it.each([
    '@someone',
    'see @org/team',
    'x@someone',
    '(#1)',
    'owner/name#12',
    'GH-7',
    'gh-7',
    'www.a.example',
    'ftp://a',
  ])('breaks what GitHub would make a link of: %j', (text) => {
    const shown = textIn(renderer.render(inertText(text)));
    expect(shown).not.toMatch(/@\w|#\d|GH-\d|www\.|:\/\//i);
    expect(shown.replaceAll('\u200b', '').trim()).toBe(text);
  });

  it('stays in its cell of a table and in its item of a list', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const cell = renderer.render(`| a | b |\n| --- | --- |\n| ${inertText(text)} | end |\n`);
        expect(tagsIn(cell)).toEqual(['table', 'thead', 'tr', 'th', 'th', 'tbody', 'tr', 'td', 'td']);
        expect(cell).toContain('<td>end</td>');
        const item = renderer.render(`1. ${inertText(text)} end`);
        expect(tagsIn(item)).toEqual(['ol', 'li']);
      }),
      { numRuns: 500 },
    );
  });
});

describe('inertCode', () => {
  it.each(['a', 'a`b', '``', '`', 'a``b`c', '<b>', '@someone', ' padded ', '`start', 'end`'])(
    'shows %j as code',
    (text) => {
      expect(renderer.render(`x ${inertCode(text)} y`)).toBe(
        `<p>x <code>${text.trim().replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</code> y</p>\n`,
      );
    },
  );

  it('is one code span whatever it holds, between others', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const tags = tagsIn(renderer.render(`${inertCode('before')} ${inertCode(text)} ${inertCode('after')}`));
        const own = withoutHidden(text).trim() === '' ? 0 : 1;
        expect(tags).toEqual(['p', ...Array.from({ length: 2 + own }, () => 'code')]);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a bar inside its cell', () => {
    expect(renderer.render(`| a |\n| --- |\n| ${inertCode('x|y')} |\n`)).toContain('<td><code>x|y</code></td>');
  });
});

describe('inertBlock', () => {
  it.each(['plain', '```\n# out', '````', '`\u200b``\nhidden between', '``\u00ad`\n<script>', '</code></pre>', ''])(
    'cannot be closed from within: %j',
    (text) => {
      const html = renderer.render(`${inertBlock(text)}\n\nafter`);
      expect(tagsIn(html)).toEqual(['pre', 'code', 'p']);
      expect(html).toContain('<p>after</p>');
    },
  );

  it('holds whatever it is given', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(tagsIn(renderer.render(`${inertBlock(text)}\n\nafter`))).toEqual(['pre', 'code', 'p']);
      }),
      { numRuns: 500 },
    );
  });
});

describe('withoutHidden', () => {
  it.each([
    ['bidirectional controls', 'a\u202eb\u2066c\u200f'],
    ['zero width', 'a\u200bb\u200cc\u200d\ufeff'],
    ['tags', 'abc\u{e0041}\u{e007f}'],
    ['variation selectors', 'a\ufe0fb\u{e0100}c'],
    ['fillers', 'a\u3164b\u115fc\u2800'],
    ['control characters', 'a\u0000b\u001bc\u009b'],
    ['halves of characters', 'a\ud800bc\udc00'],
    ['line separators', 'a\u2028b\u2029c'],
  ])('removes %s', (_, text) => {
    expect(withoutHidden(text)).toBe('abc');
  });

  it('leaves what can be seen, line feeds and tabs', () => {
    const text = 'Grüße, 世界 😀\n\tfin';
    expect(withoutHidden(text)).toBe(text);
  });
});

it('clipText says that there was more, and tears no character', () => {
  expect([clipText('abc', 3), clipText('abcd', 3), clipText('a😀bc', 3)]).toEqual(['abc', 'ab…', 'a\ufffd…']);
});
