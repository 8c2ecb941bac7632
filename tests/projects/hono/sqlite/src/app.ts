import { Hono } from 'hono'
import { openDatabase } from './sqlite/index.js'

const db = openDatabase(':memory:', {
  migrations: [{ id: '0001_notes', sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)' }],
})

export const app = new Hono()

app.get('/', (c) => {
  return c.text('Hello Hono!')
})
app.get('/notes', (c) => c.json(db.prepare('SELECT text FROM notes').all()))
app.post('/notes', async (c) => {
  const { text } = await c.req.json<{ text: string }>()
  db.prepare('INSERT INTO notes (text) VALUES (?)').run(text)
  return c.body(null, 201)
})
