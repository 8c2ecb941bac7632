import { expect, test, it } from 'vitest';
import { dateText, when } from './figures.ts';
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

it('dateText() is the date in UTC, the same on every machine', () => {
  expect(dateText('2026-01-02T23:59:59.000Z')).toBe('2 Jan 2026');
  expect(dateText('2026-12-31T00:00:00.000Z')).toBe('31 Dec 2026');
});

it('when() keeps the exact time for programs', () => {
  expect(String(when('2026-01-02T03:04:05.000Z'))).toBe(
    '<time datetime="2026-01-02T03:04:05.000Z">2 Jan 2026</time>',
  );
});
