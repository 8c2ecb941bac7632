/** Statements and errors of SQLite. */
import Database from 'better-sqlite3';
import { GeneratorError } from '../errors.ts';

/** Compiles a statement, once for each text. */
export type Prepare = (sql: string) => Database.Statement;

/** The tables of one subject. */
export class Table {
  protected readonly prepare: Prepare;

  constructor(prepare: Prepare) {
    this.prepare = prepare;
  }
}

/** Runs statements, each compiled once. */
export class Statements {
  readonly #db: Database.Database;
  readonly #compiled = new Map<string, Database.Statement>();

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** @returns how many rows changed */
  run(sql: string, ...values: (string | number | Buffer)[]): number {
    return this.prepare(sql).run(...values).changes;
  }

  get<Row>(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: (string | number)[]): Row[] {
    return this.prepare(sql).all(...values) as Row[];
  }

  readonly prepare: Prepare = (sql) => {
    const known = this.#compiled.get(sql) ?? this.#db.prepare(sql);
    this.#compiled.set(sql, known);
    return known;
  };
}

/** Whether `error` is SQLite's and its code matches. */
export function isSqliteError(error: unknown, code: RegExp): boolean {
  return error instanceof Database.SqliteError && code.test(error.code);
}

/**
 * `error` as an error about the state file `file`; one that is not SQLite's stays as it is.
 * @param hint the way out when it is not another run that holds the file
 */
export function explainSqlite(error: unknown, file: string, hint: string): unknown {
  if (!isSqliteError(error, /./)) return error;
  const isBusy = isSqliteError(error, /BUSY|LOCKED/);
  const problem = isBusy ? 'another run is at work' : String(error);
  return new GeneratorError('ERR_STATE', `Cannot open the state file "${file}": ${problem}`, {
    cause: error,
    hint: isBusy ? 'wait for it to end' : hint,
  });
}
