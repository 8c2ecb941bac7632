import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  SITE_ROOT_FILES,
  SITE_SECTIONS,
  advisoryFolder,
  assetPath,
  buildFolder,
  isHashed,
  ownerFolder,
  parseSitePath,
  sitemapPath,
  tagFolder,
} from './site-path.ts';
import { parseSourceAddress, sourceAddress } from './source-address.ts';

const DIGEST = '0123456789abcdef'.repeat(4);

test.each([
  ...SITE_ROOT_FILES.map((name) => [name, { kind: 'root', name }] as const),
  ...SITE_SECTIONS.map((s) => [`${s}/index.html`, { kind: 'section', section: s }] as const),
  [assetPath('style', DIGEST, 'css'), { kind: 'asset', name: 'style-0123456789abcdef.css' }],
  ['search/data/index.json', { kind: 'former' }],
  ['run/index.md', { kind: 'former' }],
  [sitemapPath('0a'), { kind: 'sitemap', hash: '0a' }],
  [`${buildFolder('a/b')}index.html`, { kind: 'build', id: 'a/b' }],
  [`${buildFolder('a/b')}badge.svg`, { kind: 'build', id: 'a/b' }],
  [`${ownerFolder('a')}feed.xml`, { kind: 'owner', owner: 'a' }],
  ['tags/~40scope~2Fname/index.html', { kind: 'tag', name: '@scope/name' }],
  [`${advisoryFolder('x_YARD-2026-0001')}index.md`, { kind: 'advisory', id: 'x_YARD-2026-0001' }],
] as readonly (readonly [string, object])[])('parseSitePath() reads %s', (path, expected) => {
  expect(parseSitePath(path)).toEqual(expected);
});

test.each([
  '',
  'other.html',
  'builds/a/b/1.0.0/index.html',
  'builds/a/b/1.0.0/file/src/a.ts.html',
  'builds/a/b/other.html',
  'keywords/x/index.html',
  'advisories/x/index.html',
  'builds/A/b/index.html',
  'tags/express/x.html',
  'tags/@x/index.html',
  'tags/~4/index.html',
  'tags/~41/index.html',
  'assets/style.css',
  'sitemap/a.xml',
  'sitemap/0a.yaml',
  'backstage/0a.xml',
  'search/data/.x',
  'search/data/a/b',
])('parseSitePath() refuses %j', (path) => {
  expect(parseSitePath(path)).toBeUndefined();
});

describe('tagFolder()', () => {
  it('is distinct for distinct names and parses back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), (name) => {
        fc.pre(name.isWellFormed());
        const folder = tagFolder(name);
        expect(parseSitePath(`${folder}index.html`)).toEqual({ kind: 'tag', name });
      }),
    );
  });

  it.each(['', 'x'.repeat(300)])('has no page for %j', (name) => {
    expect(tagFolder(name)).toBeUndefined();
  });
});

describe('isHashed()', () => {
  it.each([[assetPath('site', DIGEST, 'js'), true]])('%s: %s', (path, expected) => {
    expect(isHashed(path)).toBe(expected);
  });
});

const line = fc.integer({ min: 1, max: 99_999 });
const view = fc.record({
  id: fc.constantFrom('alice/web', 'a-b/c.d'),
  version: fc.constantFrom('1.0.0', '1.0.0-rc.1+build'),
  against: fc.option(fc.constant('0.9.0'), { nil: undefined }),
  file: fc.option(fc.string({ minLength: 1, unit: 'grapheme' }), { nil: undefined }),
  lines: fc.option(
    fc.tuple(line, line).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as [number, number]),
    { nil: undefined },
  ),
});

it('parseSourceAddress() reads what sourceAddress() writes', () => {
  fc.assert(
    fc.property(view, (one) => {
      const url = new URL(sourceAddress(one), 'https://builds.example.org/registry/');
      expect(url.pathname).toBe('/registry/source/');
      const lines = one.file === undefined ? undefined : one.lines;
      expect(parseSourceAddress(url.search, url.hash)).toEqual({ ...one, lines });
    }),
  );
});

it('sourceAddress() is readable for ordinary paths', () => {
  expect(
    sourceAddress({ id: 'alice/web', version: '1.1.0', file: 'src/a b.ts', lines: [3, 7] }),
  ).toBe('source/?id=alice/web&version=1.1.0#src/a%20b.ts:L3-L7');
});

it.each([
  ['', ''],
  ['?id=alice/web', ''],
  ['?id=alice/web&version=1.0.0', '#%E0%A4%A'],
])('parseSourceAddress() refuses %j with %j', (search, hash) => {
  expect(parseSourceAddress(search, hash)).toBeUndefined();
});

it('parseSourceAddress() reads lines in any order, and no line 0', () => {
  const of = (hash: string) => parseSourceAddress('?id=a/b&version=1.0.0', hash);
  expect(of('#x.ts:L9-L2')).toMatchObject({ file: 'x.ts', lines: [2, 9] });
  expect(of('#x.ts:L0')).toMatchObject({ file: 'x.ts:L0', lines: undefined });
});
