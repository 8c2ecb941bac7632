// Password hashes of the peers: scrypt of Node.js in its thread pool, with the parameters of stackyard/account.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const N = 2 ** 15;
const r = 8;
const p = 3;
const KEY_BYTES = 32;

/** Computes one key. */
export function derive(password, salt) {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { N, r, p, maxmem: 64 * 2 ** 20 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** The text to store: `salt:key` in hexadecimal digits. */
export async function hash(password) {
  const salt = randomBytes(16);
  return `${salt.toString('hex')}:${(await derive(password, salt)).toString('hex')}`;
}

/** Whether `password` matches a stored text. */
export async function verify(password, stored) {
  const [salt, key] = stored.split(':');
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'hex')), Buffer.from(key, 'hex'));
}
