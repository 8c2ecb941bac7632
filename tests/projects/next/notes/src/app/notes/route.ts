import { openDatabase } from '../../sqlite/index.js';

const db = openDatabase(':memory:', {
  migrations: [{ id: '0001_notes', sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)' }],
});

export async function POST(request: Request): Promise<Response> {
  db.prepare('INSERT INTO notes (text) VALUES (?)').run(await request.text());
  return Response.json(db.prepare('SELECT text FROM notes').all());
}
