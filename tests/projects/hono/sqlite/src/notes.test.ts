import { expect, test } from 'vitest';
import { app } from './app.js'

test('keeps notes', async () => {
  const body = JSON.stringify({ text: 'one' })
  expect((await app.request('/notes', { method: 'POST', body })).status).toBe(201)
  expect(await (await app.request('/notes')).json()).toEqual([{ text: 'one' }])
})
