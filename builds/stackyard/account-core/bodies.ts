// Reads request bodies: JSON from bytes, strictly and whatever the content type says, and then their fields. Every issue text
// is set here, so that answers do not depend on the host's version of zod.

import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { z } from 'zod';
import { AccountError, invalidRequest } from './errors.js';
import { findPasswordFault } from './passwords.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON value in `bytes`, which have the content encoding `encoding`. Throws `AccountError`: `invalid_json`, or
 * `payload_too_large` where they have more than `maxBytes` bytes before or after decompression.
 */
export function decodeJsonBody(bytes: Uint8Array, encoding: string | undefined, maxBytes: number): unknown {
  if (bytes.length > maxBytes) throw new AccountError('payload_too_large');
  const plain = decompress(bytes, encoding, maxBytes);
  try {
    return JSON.parse(UTF8.decode(plain)) as unknown;
  } catch {
    // Without the cause: its message holds the beginning of the body, which may be a password.
    throw new AccountError('invalid_json');
  }
}

// The synchronous functions: the asynchronous ones would wait in the thread pool behind password hashes.
function decompress(bytes: Uint8Array, encoding: string | undefined, maxBytes: number): Uint8Array {
  const options = { maxOutputLength: maxBytes };
  try {
    switch (encoding?.trim().toLowerCase() ?? 'identity') {
      case 'identity':
      case '':
        return bytes;
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(bytes, options);
      case 'deflate':
        return inflateSync(bytes, options);
      case 'br':
        return brotliDecompressSync(bytes, options);
    }
  } catch (error) {
    if (error instanceof RangeError) throw new AccountError('payload_too_large', { cause: error });
  }
  throw new AccountError('invalid_json');
}

/** Longest e-mail address in characters (RFC 5321 section 4.5.3.1.3, without the angle brackets). */
const MAX_EMAIL_LENGTH = 254;

// The rule of zod 3.23 to 4, written here so that the answer does not depend on the host's version of zod, and in addition
// internationalised top-level domains (`xn--p1ai`). ASCII only, no quoted names, no address literals.
const EMAIL =
  /^(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+(?:[a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$/;
const NUL_OR_LONE_SURROGATE = /[\0\p{Surrogate}]/u;

/** Trimmed and in lower case. Addresses are normalised here and never in SQL: databases convert case by other rules. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Which rule a normalised address breaks, as a message for people, or `undefined`. */
export function findEmailFault(email: string): string | undefined {
  // The length first, so that no long text reaches the expression.
  if (Array.from(email).length > MAX_EMAIL_LENGTH) return `Email must be at most ${MAX_EMAIL_LENGTH} characters`;
  return EMAIL.test(email) ? undefined : 'Email must be a valid email address';
}

/** Whether a database can hold the text at all. PostgreSQL fails on NUL; half a surrogate pair is no Unicode. */
export function isStorableText(text: string): boolean {
  return !NUL_OR_LONE_SURROGATE.test(text);
}

const emailText = z.string({ message: 'Email must be a string' }).transform(normalizeEmail);
const passwordText = z.string({ message: 'Password must be a string' });
export const newEmail = emailText.superRefine(refuse(findEmailFault));
export const newPassword = passwordText.superRefine(refuse(findPasswordFault));

function refuse(findFault: (text: string) => string | undefined) {
  return (text: string, context: z.RefinementCtx): void => {
    const message = findFault(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  };
}

/** For a body that is not an object. */
export const BODY_FAULT = { message: 'Expected a JSON object' };

export interface Credentials {
  /** Normalised. */
  readonly email: string;
  /** As it was sent. */
  readonly password: string;
}

/** Body of a registration. These readers throw `AccountError`, code `invalid_request`, with one issue for each bad field. */
export const parseRegistration = bodyReader<Credentials>(z.object({ email: newEmail, password: newPassword }, BODY_FAULT));
/** Body of a login: two strings of any form. */
export const parseLogin = bodyReader<Credentials>(z.object({ email: emailText, password: passwordText }, BODY_FAULT));
/** Body of a password change. */
export const parsePasswordChange = bodyReader<{ readonly current_password: string; readonly new_password: string }>(
  z.object({ current_password: passwordText, new_password: newPassword }, BODY_FAULT),
);

// What zod 3 and zod 4 have in common. The result has one type for both outcomes, because without `strict` the compiler does
// not tell them apart, and makes all fields of what zod infers optional.
interface Schema {
  safeParse(body: unknown): {
    readonly data?: unknown;
    readonly error?: { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] } | undefined;
  };
}

/** A function that reads a body by `schema`. It throws as `parseRegistration` does. */
export function bodyReader<T>(schema: Schema): (body: unknown) => T {
  return (body) => {
    const { error, data } = schema.safeParse(body);
    if (!error) return data as T;
    throw invalidRequest(error.issues.map(({ path, message }) => ({ path: path.map(String).join('.') || 'body', message })));
  };
}
