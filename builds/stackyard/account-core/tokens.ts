// Issues and verifies login tokens: JWTs signed with the one algorithm HS256 (RFC 7515 section 7.1, RFC 7518 section 3.2).
// Knows secrets and time, but neither accounts in storage nor HTTP. The payload of a token is
//
//   { "sub": "42", "email": "a@example.com", "ver": 0, "jti": "...", "iat": 1790000000, "exp": 1790604800 }
//
// Every token has exactly one accepted spelling, the one that `signCompact` writes. All functions are synchronous: work in
// the thread pool would wait behind password hashes.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AccountError } from './errors.js';
import type { StoredUser } from './store.js';

export interface TokenClaims {
  /** Id of the account, claim `sub`. */
  readonly userId: number;
  /** E-mail address when the token was issued. */
  readonly email: string;
  /** Claim `ver`: tokens of an earlier version than the account's are refused. */
  readonly tokenVersion: number;
  /** Claim `jti`, the name under which this one token is revoked. */
  readonly tokenId: string;
  /** Claims `iat` and `exp`, in seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** The claims of a payload, and the time before which it is not valid. */
export interface DatedClaims {
  readonly claims: TokenClaims;
  /** Claim `nbf`, in seconds since 1970; 0 without one. */
  readonly notBefore: number;
}

/** Who issues tokens and whom they are for. A token must have exactly these claims, or none where none is set. */
export interface TokenParties {
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
}

export interface Tokens {
  /** False while there is no secret: then `issue` throws and `verify` refuses every token. */
  readonly canIssue: boolean;
  /** Why `canIssue` is false, for the log. */
  readonly reason?: string | undefined;
  /** A new token for the account. Throws `AccountError` with code `internal` when `canIssue` is false. */
  issue(user: StoredUser): string;
  /** Reads a token from a stranger. Throws `AccountError` with code `invalid_token` or `token_expired`. */
  verify(token: string): TokenClaims;
}

export interface TokenOptions extends TokenParties {
  /** Signs new tokens; its UTF-8 bytes are the key. Without it no token is issued and none is accepted. */
  readonly secret: string | undefined;
  /** Why there is no secret, for the log. */
  readonly reason?: string | undefined;
  /** Earlier secrets, whose tokens are still accepted. */
  readonly previousSecrets?: readonly string[];
  /** Default: 604800, which is 7 days. */
  readonly ttlSeconds?: number;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

export const DEFAULT_TTL_SECONDS = 604_800;

/** Tokens signed with HS256. Throws `RangeError` when `ttlSeconds` is not a whole number above 0. */
export function createTokens(options: TokenOptions): Tokens {
  const { secret, previousSecrets = [], ttlSeconds = DEFAULT_TTL_SECONDS, now = Date.now } = options;
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds < 1) {
    throw new RangeError(`Option "ttlSeconds" is "${ttlSeconds}": use a whole number above 0`);
  }
  const signingKey = secret === undefined || secret === '' ? undefined : createKey(secret);
  const keys = signingKey ? [signingKey, ...previousSecrets.filter((text) => text !== '').map(createKey)] : [];
  // Only for these keys, issuer and audience: `Tokens` with others have their own.
  const verified = new VerifiedTokens();
  return {
    canIssue: signingKey !== undefined,
    reason: signingKey === undefined ? options.reason : undefined,

    issue(user) {
      if (!signingKey) throw new AccountError('internal');
      // Never before the account, whose row may have been written by a host with a faster clock.
      const issuedAt = Math.max(toSeconds(now()), toSeconds(Date.parse(user.createdAt)));
      const { id: userId, email, tokenVersion } = user;
      const tokenId = randomBytes(16).toString('base64url');
      const claims = { userId, email, tokenVersion, tokenId, issuedAt, expiresAt: issuedAt + ttlSeconds };
      return signCompact({ alg: 'HS256', typ: 'JWT', kid: signingKey.id }, formatClaims(claims, options), signingKey.bytes);
    },

    verify(token) {
      const known = verified.get(token);
      const dated = known ?? tryRead(token, keys, options);
      const nowSeconds = toSeconds(now());
      if (!dated || isTooEarly(dated, nowSeconds)) throw invalidToken();
      if (isExpired(dated.claims, nowSeconds)) throw new AccountError('token_expired', { challenge: 'invalid_token' });
      if (!known) verified.add(token, dated);
      // A copy, because callers may change what they get.
      return { ...dated.claims };
    },
  };
}

/** 401 for a token that does not verify, without the reason. */
export function invalidToken(): AccountError {
  return new AccountError('invalid_token', { challenge: 'invalid_token' });
}

interface SigningKey {
  readonly id: string;
  readonly bytes: Buffer;
}

// The key id selects the secret. It is a MAC with that secret, and so reveals no more of it than a signature does.
function createKey(secret: string): SigningKey {
  const bytes = Buffer.from(secret, 'utf8');
  return { bytes, id: createHmac('sha256', bytes).update('key id').digest('base64url').slice(0, 11) };
}

// All rules but those of the clock.
function tryRead(token: string, keys: readonly SigningKey[], parties: TokenParties): DatedClaims | undefined {
  const parsed = tryParseCompact(token);
  if (!parsed || !isOurHeader(parsed.header)) return undefined;
  const id = parsed.header['kid'];
  if (!keys.some((key) => (id === undefined || id === key.id) && isSignedBy(parsed, key.bytes))) return undefined;
  const payload = tryParseObject(parsed.payload);
  return payload && tryParseClaims(payload, parties);
}

// Lists what a header may have. So `crit`, `b64`, `zip`, `jwk`, `jku`, `x5u` and all later parameters are refused unread.
function isOurHeader({ alg, typ, kid, ...others }: JsonObject): boolean {
  const isKnown = (typ === undefined || typ === 'JWT') && (kid === undefined || typeof kid === 'string');
  return alg === 'HS256' && isKnown && Object.keys(others).length === 0;
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** How far `iat` may lie ahead of this machine's clock, for hosts whose clocks differ. `exp` has no tolerance. */
const MAX_CLOCK_LEAD_SECONDS = 60;
// Up to 16 digits, the length of the largest safe integer; no sign, point, exponent, space or leading zero.
const USER_ID = /^[1-9][0-9]{0,15}$/;
const TOKEN_ID = /^[A-Za-z0-9_-]{16,64}$/;

/** The payload of a token. The inverse of `tryParseClaims`. */
export function formatClaims(claims: TokenClaims, { issuer, audience }: TokenParties): JsonObject {
  const { userId, email, tokenVersion: ver, tokenId: jti, issuedAt: iat, expiresAt: exp } = claims;
  const parties = { ...(issuer !== undefined && { iss: issuer }), ...(audience !== undefined && { aud: audience }) };
  return { sub: String(userId), email, ver, jti, iat, exp, ...parties };
}

/**
 * Reads a payload whose signature holds; `undefined` when it breaks a rule that does not depend on the clock. The others are in
 * `isTooEarly` and `isExpired`, which are checked at every request.
 */
export function tryParseClaims(payload: JsonObject, { issuer, audience }: TokenParties): DatedClaims | undefined {
  const { sub, email, ver, jti, iat, exp, nbf = 0, iss, aud } = payload;
  if (iss !== issuer || aud !== audience) return undefined;
  if (typeof sub !== 'string' || !USER_ID.test(sub) || !Number.isSafeInteger(Number(sub))) return undefined;
  if (typeof email !== 'string' || typeof jti !== 'string' || !TOKEN_ID.test(jti)) return undefined;
  if (!isCount(ver) || !isCount(iat) || !isCount(exp) || !isCount(nbf) || iat >= exp) return undefined;
  const claims = { userId: Number(sub), email, tokenVersion: ver, tokenId: jti, issuedAt: iat, expiresAt: exp };
  return { claims, notBefore: nbf };
}

/** Whether the token was issued in the future, or is not valid yet. */
export function isTooEarly({ claims, notBefore }: DatedClaims, nowSeconds: number): boolean {
  return claims.issuedAt > nowSeconds + MAX_CLOCK_LEAD_SECONDS || notBefore > nowSeconds;
}

/** Whether the token has expired: "on or after" its `exp` (RFC 7519 section 4.1.4). */
export function isExpired(claims: TokenClaims, nowSeconds: number): boolean {
  return nowSeconds >= claims.expiresAt;
}

// JSON such as 1e400 becomes Infinity, which is not an integer.
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export interface CompactToken {
  readonly header: JsonObject;
  /** The decoded payload, not parsed: its signature has not been checked. */
  readonly payload: Buffer;
  readonly signingInput: string;
  readonly signature: Buffer;
}

/** Longer tokens are refused unread. In characters. */
export const MAX_TOKEN_LENGTH = 4096;
// 43 characters are the 32 bytes of HMAC-SHA256.
const COMPACT_FORM = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;
// A byte order mark is not skipped: it would be a second spelling.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Signs `payload`. The header is written as given and must name HS256. */
export function signCompact(header: JsonObject, payload: JsonObject, key: Buffer): string {
  const encode = (value: JsonObject) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signingInput = `${encode(header)}.${encode(payload)}`;
  return `${signingInput}.${hmac(signingInput, key).toString('base64url')}`;
}

/** Parses a token from a stranger, or returns `undefined`. Nothing in the result can be trusted yet. */
export function tryParseCompact(token: string): CompactToken | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  const [, first, second, third] = COMPACT_FORM.exec(token) ?? [];
  if (first === undefined || second === undefined || third === undefined) return undefined;
  const headerBytes = tryDecode(first);
  const payload = tryDecode(second);
  const signature = tryDecode(third);
  const header = headerBytes && tryParseObject(headerBytes);
  return header && payload && signature && { header, payload, signingInput: `${first}.${second}`, signature };
}

/** Whether `key` made the signature. Takes the same time for every wrong signature. */
export function isSignedBy(token: CompactToken, key: Buffer): boolean {
  return timingSafeEqual(hmac(token.signingInput, key), token.signature);
}

/** The JSON object in UTF-8 `bytes`, or `undefined` for anything else, also where a member occurs twice. */
export function tryParseObject(bytes: Buffer): JsonObject | undefined {
  try {
    const text = UTF8.decode(bytes);
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && !hasDuplicateMember(text) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Whether some object in `json`, which JSON.parse accepts, has two members of one name. Parsers differ in which of the two they
 * use, so readers of a signed text would disagree about its meaning (RFC 8259 section 4, RFC 7519 section 4).
 */
export function hasDuplicateMember(json: string): boolean {
  // One set of names for each open object, `undefined` for each open array.
  const open: (Set<string> | undefined)[] = [];
  let text: string | undefined;
  for (const [token] of json.matchAll(JSON_TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      // Only names stand before a colon. Two spellings of one name are the same name.
      const name = JSON.parse(text ?? '""') as string;
      const names = open[open.length - 1];
      if (names?.has(name)) return true;
      names?.add(name);
    }
    text = token.startsWith('"') ? token : undefined;
  }
  return false;
}

// Node ignores characters and bits that base64url does not allow; encoding again shows whether there were any.
function tryDecode(segment: string): Buffer | undefined {
  const bytes = Buffer.from(segment, 'base64url');
  return bytes.toString('base64url') === segment ? bytes : undefined;
}

function hmac(text: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** The tokens of this build have about 330 characters. With the number of entries this limits the memory to 16 MiB. */
const MAX_REMEMBERED_LENGTH = 2048;

/**
 * Remembers tokens that have been verified, so that the signature of a session is computed once and not at every request. Only
 * what cannot change while a process runs is remembered: spelling, signature and the form of the claims. The key is the whole
 * token. The time of a lookup may reveal whether a token is remembered, but only to somebody who has that token: JavaScript
 * compares strings after their hashes, whose seed is different in each process.
 */
export class VerifiedTokens {
  // Two generations instead of an order of use: no operation looks at more than one entry, and a hit writes nothing.
  #recent = new Map<string, DatedClaims>();
  #former = new Map<string, DatedClaims>();
  readonly #maxEntries: number;

  /** Remembers at least the last `maxEntries` tokens, and at most twice as many. */
  constructor(maxEntries: number = 4096) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#recent.size + this.#former.size;
  }

  /** The claims that were added with exactly this token. */
  get(token: string): DatedClaims | undefined {
    const known = this.#recent.get(token);
    if (known !== undefined) return known;
    const former = this.#former.get(token);
    if (former !== undefined) this.#insert(token, former);
    return former;
  }

  /** Remembers a token whose signature and claims are valid, unless it is very long. */
  add(token: string, claims: DatedClaims): void {
    // A copy: the text may be a part of a much longer header, which it would keep in memory.
    if (token.length <= MAX_REMEMBERED_LENGTH) this.#insert(Buffer.from(token, 'latin1').toString('latin1'), claims);
  }

  #insert(token: string, claims: DatedClaims): void {
    if (this.#recent.size >= this.#maxEntries) {
      this.#former = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(token, claims);
  }
}
