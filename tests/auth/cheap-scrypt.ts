/**
 * For `node --import` in tests that are not about hashes: `scrypt` of this process is cheap, whatever cost is
 * requested. It does not verify hashes that the real `scrypt` computed.
 */
import crypto from 'node:crypto';
import type { ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Done = (error: Error | null, key: Buffer) => void;
const { scrypt } = crypto;

Object.assign(crypto, {
  scrypt: (password: Buffer, salt: Buffer, length: number, _: ScryptOptions, done: Done): void => {
    scrypt(password, salt, length, { N: 2, r: 1, p: 1 }, done);
  },
});
syncBuiltinESMExports();
