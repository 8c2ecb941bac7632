import { expect, test } from 'vitest';
import { linkFrom, rootFrom } from './link.ts';

test.each([
  ['index.html', 'builds/a/b/index.html', './builds/a/b/'],
  ['builds/a/b/index.html', 'index.html', '../../../'],
  ['builds/a/b/index.html', 'builds/a/b/1.0.0+x/index.html', '../../../builds/a/b/1.0.0%2Bx/'],
  ['tags/x/index.html', 'registry.json', '../../registry.json'],
  ['search/index.html', 'a-index.html', '../a-index.html'],
])('linkFrom(%j)(%j) is %j', (from, to, expected) => {
  expect(linkFrom(from)(to)).toBe(expected);
});

test('rootFrom() of a page at the root is its own folder', () => {
  expect(rootFrom('404.html')).toBe('./');
});
