/** What a witness has confirmed: the newest checkpoint of each log, in one SQLite file. */
import Database from 'better-sqlite3';
import { sha256Hex } from '../../format/archive/integrity.ts';

/** A state of a log. */
export interface Confirmed {
  readonly size: number;
  readonly root: Uint8Array;
}

/** What becomes of a request: the state to keep, if any, with its signed note, and the answer. */
interface Decision<Answer> {
  readonly keep?: Confirmed;
  readonly note?: string;
  readonly answer: Answer;
}

export class WitnessStore {
  readonly #db: Database.Database;

  /** @param file made where there is none */
  constructor(file: string) {
    this.#db = new Database(file);
    // An answer promises that the state is on the disk.
    this.#db.pragma('synchronous = FULL');
    this.#db.pragma('busy_timeout = 5000');
    this.#db.exec(
      'CREATE TABLE IF NOT EXISTS confirmed (origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL) WITHOUT ROWID',
    );
    this.#db.exec(
      'CREATE TABLE IF NOT EXISTS checkpoint (origin_hash TEXT PRIMARY KEY, note TEXT NOT NULL) WITHOUT ROWID',
    );
  }

  /**
   * Decides by what is kept of the log and keeps the decision, as one step: no other request, also of another process
   * with this file, comes between.
   */
  decide<Answer>(
    origin: string,
    decide: (latest: Confirmed | undefined) => Decision<Answer>,
  ): Answer {
    const step = this.#db.transaction((): Answer => {
      const select = 'SELECT size, root FROM confirmed WHERE origin = ?';
      const { keep, note, answer } = decide(
        this.#db.prepare(select).get(origin) as Confirmed | undefined,
      );
      if (keep !== undefined) {
        const insert = 'INSERT OR REPLACE INTO confirmed VALUES (?, ?, ?)';
        this.#db.prepare(insert).run(origin, keep.size, keep.root);
      }
      if (note !== undefined) {
        const insert = 'INSERT OR REPLACE INTO checkpoint VALUES (?, ?)';
        this.#db.prepare(insert).run(sha256Hex(Buffer.from(origin)), note);
      }
      return answer;
    });
    return step.immediate();
  }

  /** The newest confirmed checkpoint of the log whose origin has this SHA-256, as a signed note. */
  note(originHash: string): string | undefined {
    const select = 'SELECT note FROM checkpoint WHERE origin_hash = ?';
    return this.#db.prepare(select).pluck().get(originHash) as string | undefined;
  }

  close(): void {
    this.#db.close();
  }
}
