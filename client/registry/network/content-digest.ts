/** The digest of what is downloaded and cached, by Node.js: many times faster on large content than the portable one. */
import { createHash } from 'node:crypto';

/** The SHA-256 of `bytes` in lower-case hexadecimal. */
export function contentDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
