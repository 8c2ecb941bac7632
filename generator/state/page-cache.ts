/**
 * What takes long to make for pages, by the digest of what it is made from: coloured code, images. One SQLite file that
 * all threads share; it outlives full runs, and may be deleted at any time.
 */
import { rmSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';

/** What nothing asks for any more stays in the file: a larger one begins again. */
const MAX_BYTES = 2 ** 30;

/** Deletes the file when it has become too large. Nobody may have it open. */
export function boundPageCache(file: string, maxBytes: number = MAX_BYTES): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxBytes) removeFiles(file);
}

export class PageCache {
  readonly #db: Database.Database;
  readonly #get: Database.Statement;
  readonly #set: Database.Statement;

  /** Opens the file, or begins again when it cannot be read. */
  static open(file: string): PageCache {
    try {
      return new PageCache(file);
    } catch {
      removeFiles(file);
      return new PageCache(file);
    }
  }

  private constructor(file: string) {
    this.#db = new Database(file, { timeout: 30_000 });
    try {
      this.#db.pragma('journal_mode = WAL');
      // A lost value is made again.
      this.#db.pragma('synchronous = OFF');
      this.#db.exec(
        'CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID',
      );
      this.#get = this.#db.prepare('SELECT value FROM kept WHERE key = ?').pluck();
      this.#set = this.#db.prepare('INSERT OR REPLACE INTO kept VALUES (?, ?)');
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  get(key: string): Buffer | string | undefined {
    return this.#get.get(key) as Buffer | string | undefined;
  }

  set(key: string, value: Uint8Array | string): void {
    this.#set.run(key, value);
  }

  close(): void {
    this.#db.close();
  }
}

function removeFiles(file: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
}
