/** Authenticates what is kept at a target for later runs: only who has the private key of the log can write it. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';

/** In hexadecimal. */
export function macOf(value: object, { seed, name }: NoteSigner): string {
  const key = hkdfSync('sha256', seed, '', `stackyard inventory 2 ${name}`, 32);
  return createHmac('sha256', Buffer.from(key)).update(canonicalJson(value)).digest('hex');
}

/** @param mac in hexadecimal */
export function isMadeBy(mac: string, value: object, signers: readonly NoteSigner[]): boolean {
  const given = Buffer.from(mac, 'hex');
  return signers.some((signer) => {
    const own = Buffer.from(macOf(value, signer), 'hex');
    return given.length === own.length && timingSafeEqual(given, own);
  });
}
