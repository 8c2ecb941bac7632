// What a migration is, and the checksum by which an edit is noticed.
//
//   { id: '0001_account_create_users', sql: 'CREATE TABLE users (...)' }

import { createHash } from 'node:crypto';

/** One step of the schema. Never edit the SQL of one that has been applied anywhere: add another instead. */
export interface Migration {
  /** Four digits and lower-case words, such as `0001_account_create_users`. Name the build: all ids share one table. */
  readonly id: string;
  /** One or more statements, without BEGIN or COMMIT. */
  readonly sql: string;
}

/** SHA-256 of the SQL in hexadecimal. CRLF counts as LF, so that a checkout on Windows is not an edit. */
export function migrationChecksum(migration: Migration): string {
  return createHash('sha256').update(migration.sql.replace(/\r\n/g, '\n')).digest('hex');
}
