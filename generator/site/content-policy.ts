/**
 * What pages may load. Publishers write parts of pages: if anything of theirs got through, it could run nothing and
 * load nothing but images.
 */

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
export const HEADER_POLICY: string = [...DIRECTIVES, "frame-ancestors 'none'"].join('; ');
