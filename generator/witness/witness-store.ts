/** What a witness has confirmed: the newest checkpoint of each log, in one SQLite file. */
import Database from 'better-sqlite3';

/** A state of a log. */
export interface Confirmed {
  readonly size: number;
  readonly root: Uint8Array;
}

/** What becomes of a request: the state to keep, if any, and the answer. */
interface Decision<Answer> {
  readonly keep?: Confirmed;
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
      const { keep, answer } = decide(
        this.#db.prepare(select).get(origin) as Confirmed | undefined,
      );
      if (keep !== undefined) {
        const insert = 'INSERT OR REPLACE INTO confirmed VALUES (?, ?, ?)';
        this.#db.prepare(insert).run(origin, keep.size, keep.root);
      }
      return answer;
    });
    return step.immediate();
  }

  close(): void {
    this.#db.close();
  }
}
