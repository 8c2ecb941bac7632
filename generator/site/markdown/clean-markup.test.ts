import { expect, it } from 'vitest';
import { cleanMarkup } from './clean-markup.ts';

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
