// Passwords are stored as scrypt hashes, in PHC form with N = 2^ln: $scrypt$ln=15,r=8,p=3$<salt>$<key>. A hash takes
// 32 MiB and a tenth of a second, so two are computed at once, and a bounded number waits.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AccountError } from './errors.js';

export type Passwords = ReturnType<typeof createPasswords>;

const PHC = /^\$scrypt\$ln=(\d\d?),r=(\d),p=(\d\d?)\$([\w+/]{11,86})\$([\w+/]{22,86})$/;
// The cheapest cost that OWASP and ASVS 5.0 accept.
const COST = { ln: 15, r: 8, p: 3 };

/** Less `cost` is for tests. More hashes than `maxQueued` that wait are refused with 503. */
export function createPasswords({ cost = COST, maxRunning = 2, maxQueued = 100 } = {}) {
  let running = 0;
  const waiting: (() => void)[] = [];
  // Verified in place of the hash of an account that does not exist.
  const dummy = { cost, salt: randomBytes(16), key: randomBytes(32) };

  async function inTurn<T>(task: () => Promise<T>): Promise<T> {
    if (running < maxRunning) running++;
    else if (waiting.length < maxQueued) await new Promise<void>((start) => waiting.push(start));
    else throw new AccountError(503, 'overloaded', 'Too many requests in progress, try again later', { retryAfter: 5 });
    try {
      return await task();
    } finally {
      // A finished task passes its place to the next one.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  return {
    /** The text to store. `before` runs when the hash is about to begin, and prevents it by rejecting. */
    hash: (password: string, before?: () => Promise<void>): Promise<string> =>
      inTurn(async () => {
        await before?.();
        const salt = randomBytes(16);
        const key = await derive(password, salt, cost, 32);
        return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${toBase64(salt)}$${toBase64(key)}`;
      }),
    /** Takes the same time without a stored hash. `outdated`: it matches, and took less work than new hashes. */
    verify: (password: string, stored: string | undefined): Promise<{ matches: boolean; outdated: boolean }> =>
      inTurn(async () => {
        const parsed = stored === undefined ? undefined : tryParseHash(stored);
        if (stored !== undefined && !parsed) console.error('A stored password hash cannot be read');
        const expected = parsed ?? dummy;
        const key = await derive(password, expected.salt, expected.cost, expected.key.length);
        const matches = timingSafeEqual(key, expected.key) && parsed !== undefined;
        return { matches, outdated: matches && workOf(expected.cost) < workOf(cost) };
      }),
  };
}

// With bounds, because the text decides how much memory a login takes.
function tryParseHash(text: string) {
  const [, ln = 0, r = 0, p = 0, salt = '', key = ''] = PHC.exec(text) ?? [];
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  if (Math.min(cost.ln, cost.r, cost.p) < 1 || cost.ln > 17 || cost.r > 8 || cost.p > 10) return undefined;
  return { cost, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') };
}

function derive(password: string, salt: Buffer, { ln, r, p }: typeof COST, length: number): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: 256 * r * (2 ** ln + p) };
  return new Promise((resolve, reject) => {
    // NFC, because keyboards compose one character in different ways (NIST SP 800-63B-4 section 3.1.1.2).
    scrypt(password.normalize('NFC'), salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function workOf({ ln, r, p }: typeof COST): number {
  return 2 ** ln * r * p;
}

function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
