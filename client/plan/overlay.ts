/** The project's files while a plan is made: what changes lies over a snapshot that stays as it is. */
import { integrityOf } from '../../format/archive/integrity.ts';
import type { FileChange } from './plan.ts';

interface Change {
  readonly bytes: Uint8Array | undefined;
  readonly executable: boolean;
}

export class Overlay {
  readonly #snapshot: ReadonlyMap<string, Uint8Array>;
  readonly #changes = new Map<string, Change>();

  /** @param snapshot content of every file that a plan may read or change */
  constructor(snapshot: ReadonlyMap<string, Uint8Array>) {
    this.#snapshot = snapshot;
  }

  /** What is at `path` by now; `undefined`: nothing. */
  get(path: string): Uint8Array | undefined {
    const change = this.#changes.get(path);
    return change === undefined ? this.#snapshot.get(path) : change.bytes;
  }

  put(path: string, bytes: Uint8Array, executable = false): void {
    this.#changes.set(path, { bytes, executable });
  }

  drop(path: string): void {
    this.#changes.set(path, { bytes: undefined, executable: false });
  }

  /** Everything that is there by now. */
  files(): Map<string, Uint8Array> {
    const files = new Map(this.#snapshot);
    for (const [path, { bytes }] of this.#changes) {
      if (bytes === undefined) files.delete(path);
      else files.set(path, bytes);
    }
    return files;
  }

  /** What has to be done: deletions first, then by path. */
  changes(): FileChange[] {
    const changes: FileChange[] = [];
    for (const [path, { bytes, executable }] of this.#changes) {
      const before = this.#snapshot.get(path);
      const expected = before === undefined ? undefined : integrityOf(before);
      const after = bytes === undefined ? undefined : integrityOf(bytes);
      // Writing the same bytes again still makes a file executable.
      if (after === expected && !(executable && bytes !== undefined)) continue;
      changes.push({ path, bytes, executable, expected });
    }
    const rank = ({ bytes }: FileChange): number => (bytes === undefined ? 0 : 1);
    return changes.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
  }
}
