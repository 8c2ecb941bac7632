/**
 * The files of the cache: read only if this user owns them, written under another name and renamed.
 * Nothing here fails: an unusable cache is reported once and not used.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DAY_MS } from '../../../format/duration.ts';

export class CacheFiles {
  readonly root: string;
  readonly #note: (problem: string) => void;
  #usable: Promise<boolean> | undefined;
  #isNoted = false;
  #written = 0;

  /** @param note called once with the reason why the cache is not used */
  constructor(root: string, note: (problem: string) => void = () => {}) {
    this.root = root;
    this.#note = note;
  }

  /** Bytes written so far. */
  get written(): number {
    return this.#written;
  }

  /** The content of a file of at most `maxBytes`, or `undefined`; marks it as used. */
  async read(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    if (!(await this.#isUsable())) return undefined;
    try {
      const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
      const handle = await open(join(this.root, path), flags);
      try {
        const stats = await handle.stat();
        if (!stats.isFile() || !isOwn(stats.uid) || stats.size > maxBytes) return undefined;
        const bytes = await handle.readFile();
        // The time of last use decides what is removed first; a day is precise enough.
        const now = Date.now();
        if (now - stats.mtimeMs > DAY_MS) {
          await handle.utimes(now / 1000, now / 1000).catch(() => {});
        }
        return bytes;
      } finally {
        await handle.close();
      }
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  /** Writes a file completely, or not at all. */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    if (!(await this.#isUsable())) return;
    const file = join(this.root, path);
    const temporary = join(dirname(file), `.${randomUUID()}.tmp`);
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600 });
      await rename(temporary, file);
      this.#written += bytes.length;
    } catch (error) {
      this.#report(error);
      await rm(temporary, { force: true }).catch(() => {});
    }
  }

  /** Removes an unusable file. */
  async remove(path: string): Promise<void> {
    await rm(join(this.root, path), { force: true }).catch(() => {});
  }

  /** A folder of another user is neither read nor written. */
  #isUsable(): Promise<boolean> {
    this.#usable ??= stat(this.root).then(
      (stats) => {
        const problem = !stats.isDirectory()
          ? 'it is not a folder'
          : isOwn(stats.uid)
            ? undefined
            : 'it belongs to another user';
        if (problem !== undefined) this.#noteOnce(problem);
        return problem === undefined;
      },
      (error: unknown) => {
        this.#report(error);
        return codeOf(error) === 'ENOENT';
      },
    );
    return this.#usable;
  }

  #report(error: unknown): void {
    if (codeOf(error) !== 'ENOENT')
      this.#noteOnce(error instanceof Error ? error.message : String(error));
  }

  #noteOnce(problem: string): void {
    if (!this.#isNoted) this.#note(`The cache in "${this.root}" is not used: ${problem}`);
    this.#isNoted = true;
  }
}

/** Whether this user owns a file with this owner; Windows has no such number. */
export function isOwn(uid: number): boolean {
  const own = process.getuid?.();
  return own === undefined || uid === own;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
