// Issues and verifies login tokens: JWTs signed with HS256. Knows secrets and time, but neither accounts in storage
// nor HTTP.

import { createHmac, randomBytes } from 'node:crypto';
import { AccountError } from './account-error.js';
import {
  type CompactToken,
  isSignedBy,
  type JsonObject,
  signCompact,
  tryParseCompact,
  tryParseObject,
} from './compact-token.js';
import {
  type DatedClaims,
  formatClaims,
  isExpired,
  isTooEarly,
  type TokenClaims,
  type TokenParties,
  tryParseClaims,
} from './token-claims.js';
import type { StoredUser } from './users.js';
import { VerifiedTokens } from './verified-tokens.js';

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

interface SigningKey {
  readonly id: string;
  readonly bytes: Buffer;
}

export const DEFAULT_TTL_SECONDS = 604_800;

const TOKEN_ID_BYTES = 16;
const HEADER_NAMES: ReadonlySet<string> = new Set(['alg', 'typ', 'kid']);

/** Tokens signed with HS256. Throws `RangeError` when `ttlSeconds` is not a whole number above 0. */
export function createTokens(options: TokenOptions): Tokens {
  const { secret, previousSecrets = [], ttlSeconds = DEFAULT_TTL_SECONDS, now = Date.now } = options;
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds < 1) {
    throw new RangeError(`Option "ttlSeconds" is "${ttlSeconds}": use a whole number above 0`);
  }
  const signingKey = secret === undefined || secret === '' ? undefined : createKey(secret);
  const keys = signingKey
    ? [signingKey, ...previousSecrets.filter((text) => text !== '').map(createKey)]
    : [];
  // Only for these keys, issuer and audience: `Tokens` with others have their own.
  const verified = new VerifiedTokens();

  return {
    canIssue: signingKey !== undefined,
    reason: signingKey === undefined ? options.reason : undefined,

    issue(user) {
      if (!signingKey) throw new AccountError('internal');
      // Never before the account, whose row may have been written by a host with a faster clock.
      const issuedAt = Math.max(toSeconds(now()), toSeconds(Date.parse(user.createdAt)));
      const claims: TokenClaims = {
        userId: user.id,
        email: user.email,
        tokenVersion: user.tokenVersion,
        tokenId: randomBytes(TOKEN_ID_BYTES).toString('base64url'),
        issuedAt,
        expiresAt: issuedAt + ttlSeconds,
      };
      const header = { alg: 'HS256', typ: 'JWT', kid: signingKey.id };
      return signCompact(header, formatClaims(claims, options), signingKey.bytes);
    },

    verify(token) {
      const known = verified.get(token);
      const dated = known ?? tryRead(token, keys, options);
      const nowSeconds = toSeconds(now());
      if (!dated || isTooEarly(dated, nowSeconds)) throw invalidToken();
      if (isExpired(dated.claims, nowSeconds))
        throw new AccountError('token_expired', { challenge: 'invalid_token' });
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

// The key id selects the secret. It is a MAC with that secret, and so reveals no more of it than a signature does.
function createKey(secret: string): SigningKey {
  const bytes = Buffer.from(secret, 'utf8');
  const id = createHmac('sha256', bytes).update('key id').digest('base64url').slice(0, 11);
  return { id, bytes };
}

// All rules but those of the clock.
function tryRead(
  token: string,
  keys: readonly SigningKey[],
  parties: TokenParties,
): DatedClaims | undefined {
  const parsed = tryParseCompact(token);
  if (!parsed || !isOurHeader(parsed.header) || !isSignedByOneOf(parsed, keys)) return undefined;
  const payload = tryParseObject(parsed.payload);
  return payload && tryParseClaims(payload, parties);
}

// Lists what a header may have. So `crit`, `b64`, `zip`, `jwk`, `jku`, `x5u` and all later parameters are refused without
// being read.
function isOurHeader(header: JsonObject): boolean {
  return (
    header['alg'] === 'HS256' &&
    (header['typ'] === undefined || header['typ'] === 'JWT') &&
    (header['kid'] === undefined || typeof header['kid'] === 'string') &&
    Object.keys(header).every((name) => HEADER_NAMES.has(name))
  );
}

function isSignedByOneOf(token: CompactToken, keys: readonly SigningKey[]): boolean {
  const id = token.header['kid'];
  return keys.some((key) => (id === undefined || id === key.id) && isSignedBy(token, key.bytes));
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
