// Tests of the search for transaction statements, above all of what must not be taken for one.

import { expect, test } from 'vitest';
import { findTransactionStatement } from './transaction-statement.js';

const TRIGGER =
  'CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET x = CASE WHEN x > 1 THEN 1 ELSE 0 END; DELETE FROM b; END';

test.each([
  ['BEGIN', 'BEGIN'],
  ['begin immediate;', 'BEGIN'],
  ['CREATE TABLE a (x);\n  Commit;\nBEGIN', 'COMMIT'],
  ['CREATE TABLE a (x); END TRANSACTION', 'END'],
  ['-- first\n/* then */ ROLLBACK', 'ROLLBACK'],
  [';;SAVEPOINT s', 'SAVEPOINT'],
  ['RELEASE s', 'RELEASE'],
  [`${TRIGGER}; COMMIT`, 'COMMIT'],
  [`${TRIGGER.replace('CREATE', 'create temp')} /* done */ ; END`, 'END'],
  ["INSERT INTO a VALUES ('it''s'); COMMIT", 'COMMIT'],
])('findTransactionStatement() finds the one in %j', (sql, word) => {
  expect(findTransactionStatement(sql)).toBe(word);
});

test.each([
  '',
  'CREATE TABLE a (x)',
  TRIGGER,
  `${TRIGGER};`,
  `${TRIGGER}; CREATE TABLE c (x); ${TRIGGER.replace('CREATE', 'CREATE TEMPORARY')};`,
  "INSERT INTO a VALUES ('; COMMIT;')",
  'CREATE TABLE "; COMMIT" (`; COMMIT` TEXT, [; COMMIT] TEXT)',
  'CREATE TABLE a (x); -- ; COMMIT\n',
  'CREATE TABLE a (x); /* ; COMMIT',
  'CREATE TABLE "begin" (x, "commit"); CREATE TABLE begin_end (x)',
  "UPDATE a SET x = CASE x WHEN 1 THEN 'a' END",
])('findTransactionStatement() finds none in %j', (sql) => {
  expect(findTransactionStatement(sql)).toBeUndefined();
});
