// Passwords are stored as scrypt hashes: $scrypt$ln=15,r=8,p=3$<salt>$<key>, with N = 2^ln. A hash takes 32 MiB and a
// tenth of a second, so two are computed at once, and a bounded number waits.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AccountError } from './errors.js';

export type Passwords = ReturnType<typeof createPasswords>;

// The cheapest cost that OWASP and ASVS 5.0 accept.
const COST = { ln: 15, r: 8, p: 3 };
// With bounds, because the text decides how much memory a login takes.
const STORED = /^\$scrypt\$ln=([1-9]|1[0-7]),r=([1-8]),p=([1-9]|10)\$([\w+/]{11,86})\$([\w+/]{22,86})$/;

/** When `maxQueued` hashes wait, both functions reject with 503. Less `cost` is for tests. */
export function createPasswords({ cost = COST, maxRunning = 2, maxQueued = 100 } = {}) {
  // Verified in place of the hash of an account that does not exist.
  const dummy = { cost, salt: randomBytes(16), key: randomBytes(32) };
  const waiting: (() => void)[] = [];
  let pending = 0;

  async function compute(password: string, salt: Buffer, { ln, r, p }: typeof COST, length: number): Promise<Buffer> {
    if (pending >= maxRunning + maxQueued) throw overloaded();
    if (++pending > maxRunning) await new Promise<void>((start) => waiting.push(start));
    const options = { N: 2 ** ln, r, p, maxmem: 256 * r * (2 ** ln + p) };
    return new Promise<Buffer>((resolve, reject) => {
      // NFC, because keyboards compose one character in different ways (NIST SP 800-63B-4 section 3.1.1.2).
      scrypt(password.normalize('NFC'), salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
    }).finally(() => {
      pending--;
      waiting.shift()?.();
    });
  }

  return {
    async hash(password: string): Promise<string> {
      const salt = randomBytes(16);
      const [saltText, keyText] = [salt, await compute(password, salt, cost, 32)].map(toBase64);
      return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${saltText}$${keyText}`;
    },
    /** Takes the same time without a stored hash. `outdated`: it matches, and took less work than new hashes. */
    async verify(password: string, stored = ''): Promise<{ matches: boolean; outdated: boolean }> {
      const [, ln, r, p, salt = '', keyText] = STORED.exec(stored) ?? [];
      if (keyText === undefined && stored !== '') console.error('A stored password hash cannot be read');
      const parsed = { ln: Number(ln), r: Number(r), p: Number(p) };
      const found = keyText === undefined ? dummy : { cost: parsed, salt: fromBase64(salt), key: fromBase64(keyText) };
      const isEqual = timingSafeEqual(await compute(password, found.salt, found.cost, found.key.length), found.key);
      const matches = isEqual && found !== dummy;
      return { matches, outdated: matches && workOf(found.cost) < workOf(cost) };
    },
  };
}

const workOf = ({ ln, r, p }: typeof COST) => 2 ** ln * r * p;
const fromBase64 = (text: string) => Buffer.from(text, 'base64');
const toBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
const overloaded = () =>
  new AccountError(503, 'overloaded', 'Too many requests in progress, try again later', { 'Retry-After': '5' });
