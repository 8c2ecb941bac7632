// The compact form of a signed token (RFC 7515 section 7.1) with the one algorithm HS256 (RFC 7518 section 3.2).
//
//   BASE64URL(header) . BASE64URL(payload) . BASE64URL(HMAC-SHA256(key, header . payload))
//
// Every token has exactly one accepted spelling, the one that `signCompact` writes. The payload is read by
// token-claims.ts. All functions are synchronous: work in the thread pool would wait behind password hashes.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { hasDuplicateMember } from './duplicate-member.js';

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
  if (!header || !payload || !signature) return undefined;
  return { header, payload, signingInput: `${first}.${second}`, signature };
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

// Node ignores characters and bits that base64url does not allow; encoding again shows whether there were any.
function tryDecode(segment: string): Buffer | undefined {
  const bytes = Buffer.from(segment, 'base64url');
  return bytes.toString('base64url') === segment ? bytes : undefined;
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function hmac(text: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
