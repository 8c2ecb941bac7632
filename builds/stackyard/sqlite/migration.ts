// What a migration is, and the rules that a list of them must keep before any of it reaches a database.
//
//   { id: '0001_account_create_users', sql: 'CREATE TABLE users (...)' }

import { createHash } from 'node:crypto';
import { DatabaseError } from './errors.js';
import { findTransactionStatement } from './transaction-statement.js';

/** One step of the schema. Never edit the SQL of one that has been applied anywhere: add another instead. */
export interface Migration {
  /** Four digits and lower-case words, such as `0001_account_create_users`. Name the build: all ids share one table. */
  readonly id: string;
  /** One or more statements, without BEGIN or COMMIT. */
  readonly sql: string;
}

// Always four digits: with more or fewer, order by name would no longer be order by number.
const MIGRATION_ID = /^[0-9]{4}(?:_[a-z0-9]+)+$/;

/** Checks every migration and returns them in order of their ids, by code unit. */
export function sortMigrations(migrations: readonly Migration[]): Migration[] {
  const seen = new Set<string>();
  for (const { id, sql } of migrations) {
    checkId(id);
    if (seen.has(id)) {
      throw new DatabaseError(
        'ERR_MIGRATION_DUPLICATE',
        `Cannot migrate: the list holds migration "${id}" twice. Remove one, or give one of them another id`,
      );
    }
    seen.add(id);
    checkSql(id, sql);
  }
  return [...migrations].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** SHA-256 of the SQL in hexadecimal. CRLF counts as LF, so that a checkout on Windows is not an edit. */
export function migrationChecksum(migration: Migration): string {
  return createHash('sha256').update(migration.sql.replaceAll('\r\n', '\n')).digest('hex');
}

function checkId(id: string): void {
  if (MIGRATION_ID.test(id)) return;
  throw new DatabaseError(
    'ERR_MIGRATION_ID',
    `Cannot migrate: migration id "${id}" is not valid. ` +
      'Use four digits and lower-case words, such as "0001_blog_create_posts"',
  );
}

function checkSql(id: string, sql: string): void {
  const fault = sqlFault(sql);
  if (fault === undefined) return;
  throw new DatabaseError('ERR_MIGRATION_SQL', `Cannot migrate: the SQL of migration "${id}" ${fault}`);
}

function sqlFault(sql: string): string | undefined {
  if (sql.trim() === '') return 'is empty. Write at least one statement';
  // SQLite stops reading at NUL, so the statements after it would be skipped in silence.
  if (sql.includes('\0')) return 'holds a NUL character. Remove it';
  const word = findTransactionStatement(sql);
  return word && `holds a "${word}" statement. Remove it: every migration runs in a transaction of its own`;
}
