/** The project's files during planning: changes on top of an unchanged snapshot. Pure. */
import { integrityOf } from '../../format/archive/integrity.ts';
import type { FileChange } from './plan.ts';

type Change = Pick<FileChange, 'bytes' | 'executable'>;

export class Overlay {
  readonly #snapshot: ReadonlyMap<string, Uint8Array>;
  readonly #changes = new Map<string, Change>();

  /** @param snapshot content of every file that a plan may read or change */
  constructor(snapshot: ReadonlyMap<string, Uint8Array>) {
    this.#snapshot = snapshot;
  }

  /** The present content at `path`; `undefined` for no file. */
  get(path: string): Uint8Array | undefined {
    const change = this.#changes.get(path);
    return change === undefined ? this.#snapshot.get(path) : change.bytes;
  }

  put(path: string, bytes: Uint8Array, executable = this.#changes.get(path)?.executable): void {
    this.#changes.set(path, { bytes, executable });
  }

  drop(path: string): void {
    this.#changes.set(path, { bytes: undefined });
  }

  /** Content of all files, by path. */
  files(): Map<string, Uint8Array> {
    const files = new Map(this.#snapshot);
    for (const [path, { bytes }] of this.#changes) {
      if (bytes === undefined) files.delete(path);
      else files.set(path, bytes);
    }
    return files;
  }

  /** Whether the plan changes the file at `path`. */
  isChanged(path: string): boolean {
    return this.#changes.has(path);
  }

  /**
   * The changes to apply, by path.
   * @param present content of every file that was changed, as it is now
   */
  changes(present: ReadonlyMap<string, Uint8Array>): FileChange[] {
    const changes: FileChange[] = [];
    for (const [path, { bytes, executable }] of this.#changes) {
      const before = present.get(path);
      const expected = before === undefined ? undefined : integrityOf(before);
      const after = bytes === undefined ? undefined : integrityOf(bytes);
      // Writing the same bytes again can still change the mode of a file.
      if (after === expected && (executable === undefined || bytes === undefined)) continue;
      changes.push({ path, bytes, executable, expected });
    }
    return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}
