import { describe, expect, it } from 'vitest';

// Under its own name the formatter would lay the templates out anew.
import { html as markup, render } from '../../src/local-github/web/html.ts';
import { renderMarkdown } from '../../src/local-github/web/markdown.ts';

const markdown = (text: string) => render(renderMarkdown(text, 'ada/shapes'));

describe('what the bot writes', () => {
  it('keeps details, tables with alignment, code and task lists', () => {
    const page = markdown(
      '<details><summary>Log</summary>\n\n```ts\nconst a = 1 < 2;\n```\n</details>\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] to do\n',
    );
    expect(page).toContain('<details><summary>Log</summary>');
    expect(page).toContain('<code class="language-ts">const a = 1 &lt; 2;');
    expect(page).toContain('<td align="right">2</td>');
    expect(page).toContain('<li class="task"><input type="checkbox" disabled checked /> done');
    expect(page).toContain('<li class="task"><input type="checkbox" disabled /> to do');
  });

  it('links issues, people and commits, but not in code, links or words', () => {
    const sha = 'a1'.repeat(20);
    expect(markdown(`see #12, @ada-l and ${sha}`)).toBe(
      `<p>see <a href="/ada/shapes/issues/12" rel="nofollow noreferrer">#12</a>, ` +
        `<a href="/ada-l" rel="nofollow noreferrer">@ada-l</a> and ` +
        `<a href="/ada/shapes/commit/${sha}" title="${sha}" rel="nofollow noreferrer">a1a1a1a</a></p>\n`,
    );
    for (const text of ['`#12`', 'a#12', 'me@example.org', 'src/foo.ts']) expect(markdown(text)).not.toContain('<a');
    expect(markdown('[#12](https://x.test/)').match(/<a/gu)).toHaveLength(1);
  });

  it('hides comments that carry markers', () => {
    expect(markdown('<!-- refactor-bot:status -->\nhello')).not.toContain('refactor-bot');
  });
});

describe('hostile Markdown', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)><style>*{display:none}</style></svg>',
    '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '<a href="jav&#x09;ascript:alert(1)">x</a>',
    '<iframe src="https://evil.test"></iframe>',
    '<form action="/ada/shapes/pull/1/merge" method="post"><button>Details</button></form>',
    '<input type="submit" formaction="/login" form="comment" name="login" value="eve">',
    '<div style="position:fixed;inset:0" class="top" id="timeline" data-live="x" onclick="x()">x</div>',
    '<base href="https://evil.test/"><meta http-equiv="refresh" content="0;url=https://evil.test">',
    '<textarea></textarea><script>alert(1)</script>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<details open ontoggle=alert(1)><summary>x</summary></details>',
    '| a |\n|---|\n| <b onmouseover=alert(1)>x</b> |',
    '`<script>alert(1)</script>` \\<script>alert(1)\\</script>',
  ])('%s is inert', (text) => {
    const page = markdown(text);
    expect(page).not.toMatch(
      /<(?:script|svg|math|style|iframe|form|button|base|meta|textarea|img|object|embed|link)\b/iu,
    );
    const tags = [...page.matchAll(/<[a-z][^>]*>/giu)].map(([tag]) => tag);
    for (const tag of tags) {
      expect(tag).not.toMatch(/\son\w+=|\sstyle=|\sid=|\sname=|\sdata-|formaction|\sform=|(?:javascript|data):/iu);
      if (tag.startsWith('<input')) expect(tag).toContain('type="checkbox" disabled');
    }
  });
});

it('escapes text in templates, and takes nothing but its own markup for markup', () => {
  const text = `"'<&`;
  const inner = markup`<u>${1}</u>`;
  expect(render(markup`<i title="${text}">${'<b>'}${inner}${null}${false}${['<', inner]}</i>`)).toBe(
    '<i title="&quot;&#39;&lt;&amp;">&lt;b&gt;<u>1</u>&lt;<u>1</u></i>',
  );
  const forged = { html: '<b>' } as unknown as string;
  expect(() => render(forged)).toThrow(TypeError);
});
