import { expect, test } from 'vitest';
import { app } from './app.js'

const headers = { 'Content-Type': 'application/json' }
const body = JSON.stringify({ email: 'a@example.com', password: '12345678' })
const post = (path: string, body: string) => app.request(path, { method: 'POST', headers, body })

test('registers, logs in and returns the account', async () => {
  const registered = await post('/auth/register', body)
  expect(registered.status).toBe(201)
  const { token } = await registered.json() as { token: string }
  const me = await app.request('/auth/me', { headers: { Authorization: `Bearer ${token}` } })
  expect(me.status).toBe(200)
  expect((await post('/auth/register', body)).status).toBe(409)
  expect((await post('/auth/login', body)).status).toBe(200)
  expect((await post('/auth/login', '{"email":')).status).toBe(400)
}, 120_000)
