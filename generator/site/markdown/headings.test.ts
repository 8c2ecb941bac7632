import { expect, test } from 'vitest';
import { anchorOf, placeHeadings } from './headings.ts';

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
