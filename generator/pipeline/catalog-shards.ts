/**
 * The catalog's shards: a binary tree over the bits of SHA-256(id), whose leaves hold at most
 * `MAX_SHARD_SUMMARIES` builds. The tree depends on the set of ids alone, and a new build changes one
 * leaf.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { MAX_SHARD_SUMMARIES } from '../../format/index/catalog.ts';
import { CATALOG_PATH, shardPath } from '../../format/index/layout.ts';
import type { AddDocument } from './emit.ts';
import type { State } from '../state/state.ts';

const BITS = 64;

/** The first 64 bits of SHA-256(id) as text, such as `0110...`. */
export function shardBits(id: string): string {
  const digest = createHash('sha256').update(id).digest();
  return digest.readBigUInt64BE(0).toString(2).padStart(BITS, '0');
}

/**
 * Makes the shards that contain one of `ids`, and the catalog, again.
 * @returns paths of shards that are no longer part of the index
 */
export function writeCatalog(state: State, ids: ReadonlySet<string>, add: AddDocument): string[] {
  const before = new Set(state.shards.all().map((s) => s.sha256));
  const leaves = new Set([...ids].map((id) => leafOf(state, shardBits(id))));
  if (before.size === 0) leaves.add('');
  for (const prefix of leaves) writeUnder(state, prefix, add);
  const shards = state.shards.all();
  add(CATALOG_PATH, canonicalJson({ shards }));
  for (const { sha256 } of shards) before.delete(sha256);
  return [...before].map(shardPath);
}

function leafOf(state: State, bits: string): string {
  for (let length = 0; length <= BITS; length += 1) {
    const prefix = bits.slice(0, length);
    if (state.shards.has(prefix)) return prefix;
  }
  return '';
}

function writeUnder(state: State, prefix: string, add: AddDocument): void {
  const count = state.shards.countUnder(prefix);
  if (count > MAX_SHARD_SUMMARIES && prefix.length < BITS) {
    state.shards.drop(prefix);
    writeUnder(state, `${prefix}0`, add);
    writeUnder(state, `${prefix}1`, add);
    return;
  }
  const content = canonicalJson({ builds: state.shards.summariesUnder(prefix) });
  const sha256 = createHash('sha256').update(content).digest('hex');
  add(shardPath(sha256), content);
  state.shards.set({ prefix, sha256, count });
}
