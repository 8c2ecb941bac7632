/** A test that uses a database, for projects without a server of their own. */
import { VITEST_IMPORT } from './package-json.ts';

/** What it shows, for the page. */
export const DATABASE_USE = 'a database in a test';

/** For vitest. @param sqlite the module specifier of the build */
export function databaseTest(sqlite: string): string {
  return `${VITEST_IMPORT}import { closeDatabase, openDatabase } from '${sqlite}';

const migrations = [
  { id: '0001_notes', sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)' },
];

test('keeps notes', () => {
  const db = openDatabase(':memory:', { migrations });
  db.prepare('INSERT INTO notes (text) VALUES (?)').run('one');
  expect(db.prepare('SELECT text FROM notes').all()).toEqual([{ text: 'one' }]);
  closeDatabase(db);
});
`;
}
