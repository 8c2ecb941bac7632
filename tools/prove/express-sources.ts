/** The sources of a small server on Express, with and without accounts, and its tests. */

export const APP = `import express from 'express';

export const app = express();
app.use(express.json());
app.get('/hello/:name', (req, res) => {
  res.json({ hello: req.params.name });
});
`;

/** What the tests of an application with accounts show. */
export const ACCOUNT_USE = 'accounts over HTTP, wired by the client';

/** The builds of which the client carries out the steps. */
export const WIRED = ['stackyard/sqlite', 'stackyard/account'];

export const REQUEST = `import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';

/** Sends a request to the application on a free port. */
export async function ask(app: Express, path: string, init?: RequestInit): Promise<[number, string]> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(\`http://127.0.0.1:\${port}\${path}\`, init);
  const text = await answer.text();
  await new Promise((resolve) => server.close(resolve));
  return [answer.status, text];
}
`;

export function appTest(imports: string, ending: string): string {
  return `${imports}import { app } from '../src/app${ending}';
import { ask } from './request${ending}';

test('greets by name', async () => {
  expect(await ask(app, '/hello/you')).toEqual([200, '{"hello":"you"}']);
});
`;
}

export function accountTest(imports: string, ending: string): string {
  return `${imports}import { app } from '../src/app${ending}';
import { ask } from './request${ending}';

// The database is opened at the first request.
process.env.SQLITE_PATH = ':memory:';

const post = (path: string, body: string) =>
  ask(app, path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
const BODY = JSON.stringify({ email: 'a@example.com', password: '12345678' });

test('registers, logs in and returns the account', async () => {
  const [status, text] = await post('/auth/register', BODY);
  expect(status).toBe(201);
  const { token } = JSON.parse(text) as { token: string };
  const headers = { Authorization: \`Bearer \${token}\` };
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
`;
}
