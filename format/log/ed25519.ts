/** Ed25519 (RFC 8032) on raw keys of 32 bytes, by the cryptography of Node.js. */
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

export const SEED_BYTES = 32;
export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** What stands before the seed in PKCS #8 and before the key in SPKI (RFC 8410 section 4 and 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The public key of a private key. @param seed 32 bytes */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  const spki = createPublicKey(privateKey(seed)).export({ format: 'der', type: 'spki' });
  return Uint8Array.from(spki.subarray(SPKI_PREFIX.length));
}

/** Signs `message`: 64 bytes, always the same for the same key and message. */
export function signEd25519(seed: Uint8Array, message: Uint8Array): Uint8Array {
  return Uint8Array.from(sign(null, message, privateKey(seed)));
}

/** Whether `signature` is that of `key` for `message`. All three may come from an attacker. */
export function verifyEd25519(
  key: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (key.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  try {
    const der = Buffer.concat([SPKI_PREFIX, key]);
    return verify(
      null,
      message,
      createPublicKey({ key: der, format: 'der', type: 'spki' }),
      signature,
    );
  } catch {
    // 32 bytes that are not point of the curve.
    return false;
  }
}

function privateKey(seed: Uint8Array): KeyObject {
  if (seed.length !== SEED_BYTES) throw new RangeError(`A seed has ${SEED_BYTES} bytes`);
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}
