// An app of a user on Hono with the module: what formatApp() of account-host-fixture.ts writes for Express.

/** The entry file of an app on Hono and its server for Node that uses the module. */
export const HONO_APP = `import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createAccount, createRecovery, currentUser, readAccountConfigOrExit } from './account/index.js';
import { closeDatabase, openDatabase } from './sqlite/index.js';

const db = openDatabase();
process.once('exit', () => closeDatabase(db));
const account = createAccount(db, readAccountConfigOrExit(process.env));
const mails: unknown[] = [];
const sendMail = (mail: unknown) => void mails.push(mail);
const recovery = createRecovery(db, account, { sendMail, link: 'https://app.example.com' });
account.router.route('/', recovery.router);
let calls = 0;
const app = new Hono();
app.get('/health', (c) => c.body(null));
app.get('/private', account.requireAuth, (c) => {
  return c.json({ user: c.get('user'), local: currentUser(c), calls: ++calls });
});
app.get('/mails', async (c) => {
  await recovery.settled();
  return c.json(mails as object[]);
});
app.get('/verified', recovery.requireVerified, (c) => c.json({ user: c.get('user') }));
app.route('/auth', account.router);
app.route('/v2/accounts', account.router);
app.use('/parsed/*', async (c, next) => {
  await c.req.json().catch(() => undefined);
  await next();
});
app.route('/parsed', account.router);
const port = Number(process.env['PORT']);
const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
process.once('SIGTERM', () => server.close());
`;
