/** `_headers`: cache and security headers in the form that Cloudflare Pages, Netlify and others read. */
import { cacheControl } from '../../format/index/layout.ts';
import { REGISTRY_STYLE, SITE_SECTIONS } from '../../format/index/site-path.ts';

// What pages may load. Publishers write parts of pages: if anything of theirs got through, it could run nothing and
// load nothing but images.

/** Everything but images comes from the site itself; there are no inline scripts or styles. */
const DIRECTIVES: readonly string[] = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
];

/** For a `meta` element. */
export const PAGE_POLICY: string = DIRECTIVES.join('; ');

/** For a header, which can also refuse to be framed. */
const HEADER_POLICY: string = [...DIRECTIVES, "frame-ancestors 'none'"].join('; ');

/** Sent with every response. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Content-Security-Policy': HEADER_POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** A path of each kind, for its cache rule. Patterns do not overlap: hosts join headers of several. */
const PATTERNS: readonly (readonly [pattern: string, example: string])[] = [
  ['/', 'index.html'],
  ['/index.html', 'index.html'],
  ['/registry.json', 'registry.json'],
  [`/${REGISTRY_STYLE}`, REGISTRY_STYLE],
  ['/catalog.json', 'catalog.json'],
  ['/catalog/*', `catalog/${'0'.repeat(64)}.json`],
  ['/builds/*.json', 'builds/a/b.json'],
  ['/builds/*.tgz', 'builds/a/b/1.0.0.tgz'],
  ['/builds/*.html', 'builds/a/b/index.html'],
  ['/builds/*.md', 'builds/a/b/index.md'],
  // Hosts take the address of a page for its `index.html`.
  ['/builds/*/', 'builds/a/b/index.html'],
  ['/documents/*', `documents/${'0'.repeat(64)}.json`],
  ['/heads/*', 'heads/a/b.json'],
  ['/owners/*', 'owners/a.json'],
  ['/assets/*', `assets/style-${'0'.repeat(16)}.css`],
  ...SITE_SECTIONS.map((section) => [`/${section}/*`, `${section}/index.html`] as const),
  ['/client/*', 'client/stackyard.tgz'],
  ['/schema/*', 'schema/manifest.schema.json'],
  ['/log/checkpoint', 'log/checkpoint'],
  ['/log/map-entries/*', `log/map-entries/${'0'.repeat(64)}`],
  ['/log/map/*', `log/map/${'0'.repeat(64)}`],
  ['/log/tile/*', 'log/tile/0/000'],
  // Also those of one version, which may be kept for longer: no pattern has them alone.
  ['/r/*', 'r/a/b.json'],
];

/** The text of the file. */
export function headersFile(): string {
  const security = Object.entries(ANSWER_HEADERS).map(([name, value]) => `  ${name}: ${value}\n`);
  const rules = PATTERNS.map(
    ([pattern, example]) => `${pattern}\n  Cache-Control: ${cacheControl(example)}\n`,
  );
  return `/*\n${security.join('')}${rules.join('')}`;
}
