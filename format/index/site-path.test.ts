import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  SITE_ROOT_FILES,
  SITE_SECTIONS,
  assetPath,
  buildFolder,
  filePagePath,
  isHashed,
  labelFolder,
  ownerFolder,
  parseSitePath,
  rawPath,
  sitemapPath,
  versionFolder,
} from './site-path.ts';

const DIGEST = '0123456789abcdef'.repeat(4);

test.each([
  ...SITE_ROOT_FILES.map((name) => [name, { kind: 'root', name }] as const),
  ...SITE_SECTIONS.map((s) => [`${s}/index.html`, { kind: 'section', section: s }] as const),
  [assetPath('style', DIGEST, 'css'), { kind: 'asset', name: 'style-0123456789abcdef.css' }],
  ['search/data/index.json', { kind: 'search-data', name: 'index.json' }],
  [sitemapPath('0a'), { kind: 'sitemap', hash: '0a' }],
  [`${buildFolder('a/b')}index.html`, { kind: 'build', id: 'a/b' }],
  [`${buildFolder('a/b')}badge.svg`, { kind: 'build', id: 'a/b' }],
  [`${versionFolder('a/b', '1.0.0')}index.md`, { kind: 'version', id: 'a/b', version: '1.0.0' }],
  [
    `${versionFolder('a/b', '1.0.0+b')}diff/index.html`,
    { kind: 'version', id: 'a/b', version: '1.0.0+b' },
  ],
  [
    `${versionFolder('a/b', '1.0.0')}files/index.html`,
    { kind: 'source', id: 'a/b', version: '1.0.0' },
  ],
  [`${ownerFolder('a')}feed.xml`, { kind: 'owner', owner: 'a' }],
  ['tags/~40scope~2Fname/index.html', { kind: 'tag', name: '@scope/name' }],
  ['keywords/rest~20api/index.md', { kind: 'keyword', name: 'rest api' }],
] as readonly (readonly [string, object])[])('parseSitePath() reads %s', (path, expected) => {
  expect(parseSitePath(path)).toEqual(expected);
});

test.each([
  '',
  'other.html',
  'builds/a/b/1.0/index.html',
  'builds/a/b/1.0.0/other.html',
  'builds/a/b/1.0.0/file/x',
  'builds/a/b/1.0.0/file/.html',
  'builds/a/b/1.0.0/raw/../x.txt',
  'builds/a/b/1.0.0/file/.github/x.html',
  'builds/A/b/index.html',
  'tags/express/x.html',
  'tags/@x/index.html',
  'tags/~4/index.html',
  'tags/~41/index.html',
  'assets/style.css',
  'sitemap/a.xml',
  'search/data/.x',
  'search/data/a/b',
])('parseSitePath() refuses %j', (path) => {
  expect(parseSitePath(path)).toBeUndefined();
});

const Segment = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .filter((s) => !/\//.test(s) && s.isWellFormed());

describe('filePagePath() and rawPath()', () => {
  it('give every file a page of its own that parses back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(Segment, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
        (files) => {
          const paths = new Set(files.map((segments) => segments.join('/')));
          const pages = [...paths].flatMap((p) => [
            filePagePath('a/b', '1.0.0', p),
            rawPath('a/b', '1.0.0', p),
          ]);
          for (const page of pages) {
            expect(parseSitePath(page ?? '')).toEqual({
              kind: 'source',
              id: 'a/b',
              version: '1.0.0',
            });
            expect(page).toMatch(/^[\w./~-]+$/);
            expect(page).not.toMatch(/\/\./);
          }
          expect(new Set(pages).size).toBe(pages.length);
        },
      ),
    );
  });

  it('give none to a name that no file system could hold', () => {
    expect(filePagePath('a/b', '1.0.0', `x/${'y'.repeat(255)}`)).toBeUndefined();
    expect(rawPath('a/b', '1.0.0', 'é'.repeat(60))).toBeUndefined();
  });
});

describe('labelFolder()', () => {
  it('is distinct for distinct names and parses back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), (name) => {
        fc.pre(name.isWellFormed());
        const folder = labelFolder('keyword', name);
        expect(parseSitePath(`${folder}index.html`)).toEqual({ kind: 'keyword', name });
      }),
    );
  });

  it.each(['', 'x'.repeat(300)])('has no page for %j', (name) => {
    expect(labelFolder('keyword', name)).toBeUndefined();
  });
});

describe('isHashed()', () => {
  it.each([
    [assetPath('site', DIGEST, 'js'), true],
    ['search/data/names-0123456789abcdef.json', true],
    ['search/data/index.json', false],
    ['builds/a/b/1.0.0/raw/x-0123456789abcdef.txt', false],
  ])('%s: %s', (path, expected) => {
    expect(isHashed(path)).toBe(expected);
  });
});
