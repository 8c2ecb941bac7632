// The claims of a login token, and the rules by which they are read (RFC 7519 section 4.1).
//
//   { "sub": "42", "email": "a@example.com", "ver": 0, "jti": "...", "iat": 1790000000, "exp": 1790604800 }

import type { JsonObject } from './compact-token.js';

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

/** How far `iat` may lie ahead of this machine's clock, for hosts whose clocks differ. `exp` has no tolerance. */
const MAX_CLOCK_LEAD_SECONDS = 60;

// Up to 16 digits, the length of the largest safe integer; no sign, point, exponent, space or leading zero.
const USER_ID = /^[1-9][0-9]{0,15}$/;
const TOKEN_ID = /^[A-Za-z0-9_-]{16,64}$/;

/** The payload of a token. The inverse of `tryParseClaims`. */
export function formatClaims(claims: TokenClaims, { issuer, audience }: TokenParties): JsonObject {
  return {
    sub: String(claims.userId),
    email: claims.email,
    ver: claims.tokenVersion,
    jti: claims.tokenId,
    iat: claims.issuedAt,
    exp: claims.expiresAt,
    ...(issuer !== undefined && { iss: issuer }),
    ...(audience !== undefined && { aud: audience }),
  };
}

/**
 * Reads a payload whose signature holds; `undefined` when it breaks a rule that does not depend on the clock. The
 * others are in `isTooEarly` and `isExpired`, which are checked at every request.
 */
export function tryParseClaims(
  payload: JsonObject,
  { issuer, audience }: TokenParties,
): DatedClaims | undefined {
  const { sub, email, ver, jti, iat, exp, nbf = 0, iss, aud } = payload;
  if (iss !== issuer || aud !== audience) return undefined;
  if (typeof sub !== 'string' || !USER_ID.test(sub) || !Number.isSafeInteger(Number(sub))) return undefined;
  if (typeof email !== 'string' || typeof jti !== 'string' || !TOKEN_ID.test(jti)) return undefined;
  if (!isCount(ver) || !isCount(iat) || !isCount(exp) || !isCount(nbf)) return undefined;
  if (iat >= exp) return undefined;
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
