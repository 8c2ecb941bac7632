// One-time codes of RFC 6238 (TOTP) over RFC 4226 (HOTP), secrets in base32 (RFC 4648), the address that an authenticator app
// reads, recovery codes, and the encryption of secrets for the database. Pure but for random bytes; the clock is passed in.

import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** Every app knows these, and some know no others (Key URI Format of Google Authenticator). */
const STEP_MS = 30_000;
const DIGITS = 6;
/** Steps before and after the present one whose codes count: a clock that is wrong by up to 30 seconds (RFC 6238 section 5.2). */
const SKEW_STEPS = 1;
/** As many as the HMAC has (RFC 4226 section 4, R6). */
const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret: 160 random bits. */
export function createSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES);
}

/** The number of the step that the time `ms` is in. */
export function stepAt(ms: number): number {
  return Math.floor(ms / STEP_MS);
}

/** The code of a step, RFC 4226 section 5.3. `algorithm` and `digits` are others in the test vectors only. */
export function codeOfStep(secret: Uint8Array, step: number, algorithm = 'sha1', digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac(algorithm, secret).update(counter).digest();
  const offset = mac[mac.length - 1]! & 0x0f;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}

/** The step that `code` is of at the time `ms`, or `undefined`. Takes the same time whichever it is. */
export function findStep(secret: Uint8Array, code: string, ms: number): number | undefined {
  let found: number | undefined;
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  for (let step = stepAt(ms) - SKEW_STEPS; step <= stepAt(ms) + SKEW_STEPS; step += 1) {
    if (step >= 0 && timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(code))) found = step;
  }
  return found;
}

/** Base32 without padding. */
export function formatBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(value >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}

/** The address that an app reads from a QR code: `otpauth://totp/<issuer>:<account>?secret=...`. */
export function otpauthUri(secret: Uint8Array, issuer: string, account: string): string {
  // The apps want %20, not the + of a query. A colon would end the issuer.
  const name = encodeURIComponent(issuer.replace(/:/g, ' '));
  return `otpauth://totp/${name}:${encodeURIComponent(account)}?secret=${formatBase32(secret)}&issuer=${name}&algorithm=SHA1&digits=6&period=30`;
}

/** 80 random bits for people, such as `k3qd-7m2x-aaf4-pw6n`. */
export function createRecoveryCode(): string {
  return formatBase32(randomBytes(10)).toLowerCase().replace(/(.{4})(?=.)/g, '$1-');
}

/** What is stored of a recovery code, or `undefined` for a text that cannot be one. Case, spaces and dashes make no difference. */
export function hashRecoveryCode(code: string): string | undefined {
  const plain = code.slice(0, 64).replace(/[\s-]/g, '').toLowerCase();
  // No slow hash and no salt: nobody can guess 80 random bits.
  return /^[a-z2-7]{16}$/.test(plain) ? createHash('sha256').update(`totp recovery\n${plain}`).digest('hex') : undefined;
}

/** Encrypts secrets for the database, so that whoever reads it, or a backup of it, has no second factors. */
export interface SecretBox {
  seal(secret: Uint8Array, userId: number): string;
  /** Throws `Error` where none of the keys opens it. */
  open(sealed: string, userId: number): Uint8Array;
}

/** AES-256-GCM with a key derived from each text. The first seals, all open; the account is authenticated with the secret. */
export function createSecretBox(keys: readonly string[]): SecretBox {
  const derived = keys.map((key) => new Uint8Array(hkdfSync('sha256', key, '', 'stackyard/totp secrets', 32)));
  const about = (userId: number) => Buffer.from(`totp ${userId}`);
  return {
    seal(secret, userId) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', derived[0]!, iv).setAAD(about(userId));
      return Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },
    open(sealed, userId) {
      const bytes = Buffer.from(sealed, 'base64url');
      for (const key of derived) {
        try {
          const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 }).setAAD(about(userId));
          decipher.setAuthTag(bytes.subarray(-16));
          return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
        } catch {
          // Another key, perhaps.
        }
      }
      throw new Error(`Cannot read the TOTP secret of account ${userId}: it was stored with another TOTP_KEY. Add the old key behind the new one, separated by a comma`);
    },
  };
}
