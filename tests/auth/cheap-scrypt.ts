/**
 * For `node --import`, where a test is not about hashes: `scrypt` of this process costs next to nothing,
 * whatever cost is asked for. What it made before is not verified by it.
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
