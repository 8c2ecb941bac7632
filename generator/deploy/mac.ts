/**
 * Authenticates what the generator keeps in a store for itself, with a key that follows from the private key of the log:
 * only who can sign the log can write it.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';

/** What a code is for: one for a state is none for a manifest. */
type Purpose = 'manifest' | 'state';

/** In hexadecimal. */
export function macOf(purpose: Purpose, value: object, { seed, name }: NoteSigner): string {
  const key = hkdfSync('sha256', seed, '', `stackyard ${purpose} 1 ${name}`, 32);
  return createHmac('sha256', Buffer.from(key)).update(canonicalJson(value)).digest('hex');
}

/** @param mac in hexadecimal */
export function isMadeBy(
  mac: string,
  purpose: Purpose,
  value: object,
  signers: readonly NoteSigner[],
): boolean {
  const given = Buffer.from(mac, 'hex');
  return signers.some((signer) => {
    const own = Buffer.from(macOf(purpose, value, signer), 'hex');
    return given.length === own.length && timingSafeEqual(given, own);
  });
}
