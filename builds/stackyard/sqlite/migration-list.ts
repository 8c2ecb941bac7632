// The rules that a list of migrations must keep before any of it reaches a database, and the order of several lists.

import { DatabaseError } from './errors.js';
import type { Migration } from './migration.js';
import { findTransactionStatement } from './transaction-statement.js';

/**
 * The migrations of one build or project; or several such lists, in the order in which they refer to each other:
 * `[accountMigrations, own]`.
 */
export type Migrations = readonly Migration[] | readonly (readonly Migration[])[];

// Always four digits: with more or fewer, order by name would no longer be order by number.
const MIGRATION_ID = /^[0-9]{4}(?:_[a-z0-9]+)+$/;

/** Checks every migration and returns all of them: list after list, each in order of its ids, by code unit. */
export function orderMigrations(migrations: Migrations): Migration[] {
  const lists = isLists(migrations) ? migrations : [migrations];
  const seen = new Set<string>();
  for (const list of lists) for (const migration of list) checkMigration(migration, seen);
  return lists.map((list) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1))).flat();
}

function isLists(migrations: Migrations): migrations is readonly (readonly Migration[])[] {
  const entries: readonly unknown[] = migrations;
  return entries.length > 0 && entries.every((entry) => Array.isArray(entry));
}

function checkMigration({ id, sql }: Migration, seen: Set<string>): void {
  checkId(id);
  if (seen.has(id)) {
    throw new DatabaseError(
      'ERR_MIGRATION_DUPLICATE',
      `Cannot migrate: migration "${id}" is listed twice. Remove one, or give one of them another id`,
    );
  }
  seen.add(id);
  checkSql(id, sql);
}

function checkId(id: string): void {
  if (typeof id === 'string' && MIGRATION_ID.test(id)) return;
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
  // SQLite stops reading at NUL, so the statements after it would be skipped without a message.
  if (sql.includes('\0')) return 'contains a NUL character. Remove it';
  const word = findTransactionStatement(sql);
  if (word === undefined) return undefined;
  return `contains a "${word}" statement. Remove it: every migration runs in a transaction of its own`;
}
