// Passwords are stored as scrypt hashes: $scrypt$ln=15,r=8,p=3$<salt>$<key>, with N = 2^ln. A hash takes 32 MiB and a
// tenth of a second, so two are computed at once, and a bounded number waits.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { overloaded } from './errors.js';

export type Passwords = ReturnType<typeof createPasswords>;
const COST = { ln: 15, r: 8, p: 3 }; // The cheapest one that OWASP and ASVS 5.0 accept.
// With bounds, because the text decides how much memory a login takes.
const STORED = /^\$scrypt\$ln=([1-9]|1[0-7]),r=([1-8]),p=([1-9]|10)\$([\w+/]{11,86})\$([\w+/]{22,86})$/;

/** When `maxQueued` hashes wait, both functions reject with 503. Less `cost` is for tests. */
export function createPasswords({ cost = COST, maxRunning = 2, maxQueued = 100 } = {}) {
  // Verified in place of the hash of an account that does not exist. No password matches it.
  const dummy = format(cost, randomBytes(16), randomBytes(32));
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
    async hash(password: string, salt = randomBytes(16)): Promise<string> {
      return format(cost, salt, await compute(password, salt, cost, 32));
    },
    /** `outdated`: it matches, and was made with another cost. */
    async verify(password: string, stored = dummy): Promise<{ matches: boolean; outdated: boolean }> {
      const parts = STORED.exec(stored);
      if (!parts) console.error('A stored password hash cannot be read');
      const [, ln, r, p, salt = '', key = ''] = parts ?? STORED.exec(dummy) ?? [];
      const storedCost = { ln: Number(ln), r: Number(r), p: Number(p) };
      const [saltBytes, expected] = [Buffer.from(salt, 'base64'), Buffer.from(key, 'base64')];
      const matches = timingSafeEqual(await compute(password, saltBytes, storedCost, expected.length), expected);
      return { matches, outdated: matches && (ln !== `${cost.ln}` || r !== `${cost.r}` || p !== `${cost.p}`) };
    },
  };
}

const toBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
const format = ({ ln, r, p }: typeof COST, salt: Buffer, key: Buffer) =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${toBase64(salt)}$${toBase64(key)}`;
