import { expect, test } from 'vitest';
import { closeDatabase, openDatabase } from './sqlite/index.js';

const migrations = [
  { id: '0001_notes', sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)' },
];

test('keeps notes', () => {
  const db = openDatabase(':memory:', { migrations });
  db.prepare('INSERT INTO notes (text) VALUES (?)').run('one');
  expect(db.prepare('SELECT text FROM notes').all()).toEqual([{ text: 'one' }]);
  closeDatabase(db);
});
