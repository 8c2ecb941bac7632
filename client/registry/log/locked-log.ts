/** Verifies the proof that a lock keeps of an installed version, without network. */
import { StackyardError } from '../../../format/errors.ts';
import { formatLogEntry } from '../../../format/log/entry.ts';
import { decodeBase64 } from '../../../format/log/base64.ts';
import { leafHash } from '../../../format/log/hash.ts';
import { verifyInclusion } from '../../../format/log/proof.ts';
import type { LockedBuild } from '../../../format/project/lock.ts';
import { readCheckpoint } from './signed-checkpoint.ts';

/**
 * Why the proof of an installed version does not hold; `undefined` when it does, and for a version without one.
 * The lock is untrusted: all of it may have been edited, but not the key that the user knows.
 * @param key the key that this user has seen for the registry, if any
 */
export function lockedLogProblem(
  id: string,
  { version, integrity, log }: LockedBuild,
  key: string | undefined,
): string | undefined {
  if (log === undefined) return undefined;
  const { index, commit, tree, published_at } = log;
  const trusted = key ?? log.key;
  try {
    const { size, root } = readCheckpoint(log.checkpoint, trusted);
    const entry = { type: 'publish', id, version, integrity, tree, commit, published_at } as const;
    const proof = log.proof.map((hash) => decodeBase64(hash) ?? new Uint8Array());
    const leaf = { hash: leafHash(formatLogEntry(entry)), index };
    if (verifyInclusion(leaf, { size, root }, proof)) return undefined;
    return `the log does not have "${id}" ${version} with ${integrity} as entry ${index}`;
  } catch (error) {
    if (error instanceof StackyardError || error instanceof RangeError) return error.message;
    throw error;
  }
}
