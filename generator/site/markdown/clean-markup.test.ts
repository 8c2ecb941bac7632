import { expect, it, test } from 'vitest';
import { cleanMarkup, ROOT_MARK, linkResolver, anchorOf, placeHeadings } from './clean-markup.ts';

const clean = (markup: string): string => cleanMarkup(markup, (href) => href);

it.each([
  '<script>alert(1)</script>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<form action="https://evil.example"><button>x</button></form>',
  '<base href="https://evil.example">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<style>*{display:none}</style>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<math><mtext><script>alert(1)</script></mtext></math>',
  '<p style="position:fixed" class="note" id="main" onclick="alert(1)">x</p>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="data:text/html,<script>">x</a>',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<a href="//evil.example">x</a>',
  '<video src="https://evil.example"></video>',
])('cleanMarkup() leaves nothing that acts of %s', (markup) => {
  const left = clean(markup);
  expect(left).not.toMatch(
    /<(?:script|iframe|form|button|base|meta|style|svg|math|video)|\son|style=|\sid=|class=|javascript:|data:|href="\/\//i,
  );
});

it('cleanMarkup() loads pictures late and without a referrer, and marks links of publishers', () => {
  expect(clean('<img src="https://a.example/x.png" alt="A" width="20">')).toBe(
    '<img src="https://a.example/x.png" alt="A" width="20" loading="lazy" referrerpolicy="no-referrer" />',
  );
  expect(clean('<img src="http://a.example/x.png" alt="A">')).toBe('<span>A</span>');
  expect(clean('<a href="https://a.example">x</a>')).toContain('rel="nofollow ugc noopener"');
});

const resolve = linkResolver({
  pageOf: (file) => (file === 'docs/a b.md' ? 'page' : undefined),
  list: 'files/',
  hasFolder: (folder) => folder === 'docs',
});

test.each([
  ['https://a.example/x', 'https://a.example/x'],
  [' mailto:a@b.example', 'mailto:a@b.example'],
  ['docs/a%20b.md?x#y', `${ROOT_MARK}page`],
  ['./docs/../docs/a%20b.md', `${ROOT_MARK}page`],
  ['docs/', `${ROOT_MARK}files/`],
  ['?x', `${ROOT_MARK}files/`],
  ['../docs/a%20b.md', undefined],
  ['missing.md', undefined],
  ['%', undefined],
  ['javascript:alert(1)', undefined],
  ['JAVASCRIPT:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['//evil.example', undefined],
  ['\\\\evil.example', undefined],
  ['https:///evil', undefined],
])('linkResolver() sends %j to %j', (href, target) => {
  expect(resolve(href)).toBe(target);
});

test.each([
  ['Rate limits & 429', 'rate-limits--429'],
  ['`npm run x`', 'npm-run-x'],
  ['Über uns', 'über-uns'],
  ['"><script>', 'script'],
])('anchorOf(%j)', (text, anchor) => {
  expect(anchorOf(text)).toBe(anchor);
});

test('placeHeadings() numbers what is there twice and never goes below h6', () => {
  const markup = '<h1>A</h1><h1>A</h1><h2>B</h2><h3>C</h3><h4>D</h4>';
  const { markup: placed, headings } = placeHeadings(markup, 'p-', 3);
  expect(placed).toBe(
    '<h3 id="p-a">A</h3><h3 id="p-a-1">A</h3><h4 id="p-b">B</h4><h5 id="p-c">C</h5><h6 id="p-d">D</h6>',
  );
  expect(headings.map(({ depth }) => depth)).toEqual([1, 1, 2, 3, 4]);
});

test('placeHeadings() takes plain text for contents', () => {
  const { headings } = placeHeadings('<h2><code>a</code> &amp; &lt;b&gt;</h2>', 'p-', 3);
  expect(headings).toEqual([{ id: 'p-a--b', text: 'a & <b>', depth: 1 }]);
});
