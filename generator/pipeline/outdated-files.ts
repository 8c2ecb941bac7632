/** Removes the files of an index that are no part of it any more. */
import type { IndexPath } from '../../format/index/layout.ts';
import type { State } from '../state/state.ts';
import { removeFile, removeStale } from './emit.ts';

/**
 * @param isFull after a full run everything that the state does not know is removed
 * @param oldShards after an incremental run only shards can be outdated
 * @returns how many files were removed
 */
export function removeOutdated(
  out: string,
  state: State,
  isFull: boolean,
  oldShards: readonly string[],
): number {
  if (isFull) return removeStale(out, isCurrent(state));
  return oldShards.filter((path) => removeFile(out, path)).length;
}

function isCurrent(state: State): (path: IndexPath) => boolean {
  const shards = new Set(state.shards().map((s) => s.sha256));
  return (path) => {
    switch (path.kind) {
      case 'record':
      case 'head':
        return state.hasBuild(path.id);
      case 'version-record':
      case 'capabilities':
      case 'tarball':
        return state.findVersion(path.id, path.version) !== undefined;
      case 'owner':
        return state.buildsOf(path.owner).length > 0;
      case 'shard':
        return shards.has(path.sha256);
      default:
        return true;
    }
  };
}
