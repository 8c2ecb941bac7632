// What a migration is, the rules that a list of them must keep before any of it reaches a database, and the checksum
// by which an edit is noticed.
//
//   { id: '0001_account_create_users', sql: 'CREATE TABLE users (...)' }

import { createHash } from 'node:crypto';
import { DatabaseError } from './errors.js';

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

/**
 * The migrations of one build or project; or several such lists, in the order in which they refer to each other:
 * `[accountMigrations, own]`.
 */
export type Migrations = readonly Migration[] | readonly (readonly Migration[])[];

// Always four digits: with more or fewer, order by name would no longer be order by number.
const MIGRATION_ID = /^[0-9]{4}(?:_[a-z0-9]+)+$/;

/** Checks every migration and returns all of them: list after list, each in order of its ids, by code unit. */
export function orderMigrations(migrations: Migrations): Migration[] {
  const lists = toLists(migrations);
  const seen = new Set<string>();
  for (const list of lists) for (const migration of list) checkMigration(migration, seen);
  return lists.map((list) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1))).flat();
}

/** Several lists as they are, and one list as the only one of several. */
export function toLists(migrations: Migrations): readonly (readonly Migration[])[] {
  const entries: readonly unknown[] = migrations;
  const isLists = entries.length > 0 && entries.every((entry) => Array.isArray(entry));
  return isLists ? (migrations as readonly (readonly Migration[])[]) : [migrations as readonly Migration[]];
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

const TRANSACTION_WORDS: ReadonlySet<string> = new Set(['BEGIN', 'COMMIT', 'END', 'ROLLBACK', 'SAVEPOINT', 'RELEASE']);

// Comment, quoted text, word, or any other character. A doubled quote reads as two texts side by side, which
// changes nothing here and keeps the expression free of nested repetition.
const TOKEN = /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|\w+|[^\s]/g;
const COMMENT = /^(?:--|\/\*)/;
const CREATE_TRIGGER = /^CREATE (?:TEMP |TEMPORARY )?TRIGGER$/;

/**
 * The first word of `sql`'s first statement that begins or ends a transaction or savepoint, in upper case. Knows just
 * enough of SQLite's grammar for that: comments, quotes, and trigger bodies, in which `;` and `END` do not end a
 * transaction.
 */
export function findTransactionStatement(sql: string): string | undefined {
  let statement: string[] = [];
  let inTrigger = false;
  for (const [text] of sql.matchAll(TOKEN)) {
    if (COMMENT.test(text)) continue;
    const token = text.toUpperCase();
    if (token === ';' && (!inTrigger || endsTriggerBody(statement))) {
      statement = [];
      inTrigger = false;
      continue;
    }
    if (statement.length === 0 && TRANSACTION_WORDS.has(token)) return token;
    statement.push(token);
    if (statement.length <= 3) inTrigger ||= CREATE_TRIGGER.test(statement.join(' '));
  }
  return undefined;
}

// Only an END that follows a `;` closes a trigger; the END of a CASE does not.
function endsTriggerBody(statement: readonly string[]): boolean {
  const { length } = statement;
  return statement[length - 1] === 'END' && statement[length - 2] === ';';
}
