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
