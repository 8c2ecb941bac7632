// The tokens in the links of recovery mails.

import { createHash, randomBytes } from 'node:crypto';
import type { RecoveryPurpose } from './recoveries.js';

const TOKEN_BYTES = 32;
// 43 characters of base64url are 32 bytes. Other spellings of the same bytes have another hash.
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, in base64url. */
export function createRecoveryToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** SHA-256 of the purpose and the token in hexadecimal, or `undefined` for a text that cannot be a token. */
export function hashRecoveryToken(purpose: RecoveryPurpose, token: string): string | undefined {
  // No slow hash and no salt: nobody can guess 256 random bits.
  return TOKEN_FORM.test(token) ? createHash('sha256').update(`${purpose}\n${token}`).digest('hex') : undefined;
}
