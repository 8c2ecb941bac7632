// Migrations in SQL that both databases take.

/**
 * One step of the schema: a `Migration` of stackyard/sqlite, which reads `sql`, and of stackyard/postgres, which reads
 * `up`.
 */
export interface PortableMigration {
  readonly id: string;
  readonly sql: string;
  readonly up: string;
}

/**
 * The list of a build for both databases. Of the types use TEXT, BIGINT and BLOB, which is BYTEA on PostgreSQL. No
 * AUTOINCREMENT: keys are made by the program (`randomUUID()`). Keep the list in a constant: a list that is given twice
 * is applied once.
 */
export function portableMigrations(
  list: readonly { readonly id: string; readonly up: string }[],
): readonly PortableMigration[] {
  return list.map(({ id, up }) => ({ id, sql: up, up: up.replace(/\bBLOB\b/g, 'BYTEA') }));
}
