// Cookie mode: a browser keeps the token in a cookie that scripts cannot read. The browser sends it by itself, also with what a page of
// another site makes it request: so an unsafe request by the cookie must show that it comes from the own origin, by the headers
// `Sec-Fetch-Site` or `Origin`, which no page can set. This is "Fetch Metadata" with the origin as fallback in the CSRF cheat sheet of
// OWASP, and `CrossOriginProtection` in Go 1.25; stricter in that a request without both headers is refused.

import type { AccountRequest } from './core.js';
import { AccountError } from './errors.js';

export interface CookieOptions {
  /** Gives the cookie to every page of the own origin, as if it had sent `X-Session: cookie`. Default: false. */
  readonly always?: boolean;
  /** `Secure`, and the prefix `__Host-`, with which no other host can set the cookie. Default: in production. */
  readonly secure?: boolean;
  /** Other origins whose pages may use the cookie, such as `https://app.example.com` for an API at `api.example.com`. */
  readonly origins?: readonly string[];
}

export interface CookieMode extends Required<CookieOptions> {
  readonly name: string;
}

/** What of a request names its sender. Without `header` it has no cookie. */
export type Sender = Pick<AccountRequest, 'authorization'> & Partial<Pick<AccountRequest, 'method' | 'header'>>;

/** `true` stands for `always`, `false` for no cookies at all. */
export function createCookieMode(options: boolean | CookieOptions = {}): CookieMode | false {
  if (options === false) return false;
  const { always = false, secure = true, origins = [] } = options === true ? { always: true } : options;
  return { always, secure, origins, name: secure ? '__Host-auth_session' : 'auth_session' };
}

const SAFE: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The token in the cookie; `undefined` without one, and where the request has a bearer token. Throws `AccountError`, code
 * `cross_origin`, where the request is unsafe and not from the own origin.
 */
export function readCookieToken(sender: Sender, mode: CookieMode | false | undefined): string | undefined {
  const cookies = sender.header?.('Cookie');
  if (!mode || cookies === undefined || sender.authorization.some((value) => /^bearer\b/i.test(value))) return undefined;
  const begin = `${mode.name}=`;
  const pair = cookies.split(/; */).find((text) => text.startsWith(begin) && text.length > begin.length);
  if (pair !== undefined && !SAFE.has(sender.method) && !isOwnOrigin(sender, mode)) throw new AccountError('cross_origin');
  return pair?.slice(begin.length);
}

/** Whether the answer to a login shall have the cookie in place of the token. Throws as `readCookieToken` does. */
export function wantsCookie(sender: Sender, mode: CookieMode | false): boolean {
  if (!mode) return false;
  const isAsked = sender.header?.('X-Session')?.trim().toLowerCase() === 'cookie';
  const isOwn = (isAsked || mode.always) && isOwnOrigin(sender, mode);
  // Another site must not log its visitors in as somebody else.
  if (isAsked && !isOwn) throw new AccountError('cross_origin');
  return isOwn;
}

/** The value of `Set-Cookie` that gives a token to a browser, or takes it away with `''`. */
export function formatCookie({ name, secure }: CookieMode, token: string, seconds: number): string {
  return `${name}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure ? '; Secure' : ''}`;
}

function isOwnOrigin(sender: Sender, { origins }: CookieMode): boolean {
  const origin = sender.header?.('Origin');
  if (origin !== undefined && origins.includes(origin)) return true;
  const site = sender.header?.('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  // Browsers send no fetch metadata to plain HTTP. The schemes are not compared: behind a proxy the host does not know its own.
  const host = sender.header?.('Host');
  return origin !== undefined && host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
