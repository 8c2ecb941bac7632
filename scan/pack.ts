/** Packs a build into a tarball and computes its digest. */
import { createHash } from 'node:crypto';
import { formatIntegrity } from '../format/archive/integrity.ts';
import { packTarball } from '../format/archive/tarball.ts';
import type { BuildContent } from './scanned-file.ts';

export interface Tarball {
  readonly bytes: Uint8Array;
  readonly integrity: string;
}

/** Packs every file of the build, also those that its manifest does not install. */
export function pack(build: BuildContent): Tarball {
  const bytes = packTarball(build.files);
  // Node's SHA-256 is eight times as fast as the portable one in format/, with the same result.
  return { bytes, integrity: formatIntegrity(createHash('sha256').update(bytes).digest()) };
}
