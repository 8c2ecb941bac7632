import { app } from '../src/app';
import { ask } from './request';

// The database is opened at the first request.
process.env.SQLITE_PATH = ':memory:';

const post = (path: string, body: string) =>
  ask(app, path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
const BODY = JSON.stringify({ email: 'a@example.com', password: '12345678' });

test('registers, logs in and returns the account', async () => {
  const [status, text] = await post('/auth/register', BODY);
  expect(status).toBe(201);
  const { token } = JSON.parse(text) as { token: string };
  const headers = { Authorization: `Bearer ${token}` };
  expect((await ask(app, '/auth/me', { headers }))[0]).toBe(200);
  expect((await post('/auth/register', BODY))[0]).toBe(409);
  expect((await post('/auth/login', BODY))[0]).toBe(200);
});

test('answers malformed JSON behind the parser', async () => {
  expect(await post('/auth/login', '{"email":')).toEqual([
    400,
    '{"error":{"status":400,"code":"invalid_json","message":"Invalid JSON body"}}',
  ]);
});
