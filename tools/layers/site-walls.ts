/** The walls of `generator/site/`: pages are text made from what is given, without git, state or a place to write to. */

/** What every page is written with. */
const WRITING: readonly string[] = [
  'format',
  'generator/site/figures.ts',
  'generator/site/html.ts',
  'generator/site/link.ts',
  'generator/site/site.ts',
  'generator/site/visible-text.ts',
  'generator/site/when.ts',
];
const PAGE: readonly string[] = [...WRITING, 'generator/site/shell'];

export const SITE_WALLS: Readonly<Record<string, readonly string[]>> = {
  'generator/site': ['format'],
  'generator/site/assets': [],
  'generator/site/assets.ts': ['format/index', 'generator/packaged.ts', 'generator/site/browser'],
  'generator/site/figures.ts': [],
  'generator/site/html.ts': ['generator/site/visible-text.ts'],
  'generator/site/kept.ts': [],
  'generator/site/link.ts': ['format/index'],
  'generator/site/site.ts': ['format/registry', 'generator/site/assets.ts'],
  'generator/site/visible-text.ts': ['format/unicode.ts'],
  'generator/site/when.ts': ['generator/site/html.ts'],
  'generator/site/browser': ['generator/source-digest.ts', 'generator/write-whole.ts'],
  'generator/site/browser/page': [
    'format',
    'generator/site/browser/page/announce.ts',
    'generator/site/browser/page/element.ts',
    'generator/site/browser/page/site-address.ts',
    'generator/site/browser/page/source',
    'generator/site/search',
  ],
  'generator/site/browser/page/announce.ts': [],
  'generator/site/browser/page/element.ts': [],
  'generator/site/browser/page/site-address.ts': [],
  'generator/site/browser/page/source': [
    'format',
    'generator/site/browser/page/announce.ts',
    'generator/site/browser/page/element.ts',
    'generator/site/browser/page/site-address.ts',
    'generator/site/code',
    'generator/site/figures.ts',
    'generator/site/visible-text.ts',
  ],
  'generator/site/build': [...PAGE, 'generator/site/markdown'],
  'generator/site/code': [
    'format/unicode.ts',
    'generator/site/html.ts',
    'generator/site/visible-text.ts',
  ],
  'generator/site/diff': [
    ...PAGE,
    'generator/site/build',
    'generator/site/code',
    'generator/site/source',
  ],
  'generator/site/feed': [...WRITING, 'generator/site/build'],
  'generator/site/guide': [
    ...PAGE,
    'generator/site/build',
    'generator/site/home',
    'generator/site/markdown',
    'generator/site/source',
  ],
  'generator/site/home': [...PAGE, 'generator/site/build', 'generator/site/list'],
  'generator/site/image': [...WRITING, 'generator/site/build'],
  'generator/site/list': [...PAGE, 'generator/site/build'],
  'generator/site/markdown': [
    'format/unicode.ts',
    // The parser of guides: pages show the fences that it reads.
    'format/wiring/markdown.ts',
    'generator/site/code',
    'generator/site/html.ts',
    'generator/site/visible-text.ts',
  ],
  'generator/site/search': ['format'],
  'generator/site/shell': [...WRITING, 'generator/site/content-policy.ts'],
  'generator/site/source': [...PAGE, 'generator/site/code'],
  'generator/site/twin': [...WRITING, 'generator/site/build', 'generator/site/list'],
};
