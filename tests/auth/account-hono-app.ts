// An app of a user on Hono with the module: what formatApp() of account-host-fixture.ts writes for Express.

import { FACTOR_ROUTES } from './account-host-fixture.ts';

/** The entry file of an app on Hono and its server for Node that uses the module. */
export const HONO_APP = `import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { type AccountHandler, createConfiguredAccounts, currentUser, readAccountConfigOrExit } from './account-core/index.js';
import { createRecovery } from './account-recovery/index.js';
import { accountMigrations, createSqliteStore } from './account-sqlite/index.js';
import { closeDatabase, openDatabase } from './sqlite/index.js';

const db = openDatabase(undefined, { migrations: accountMigrations });
process.once('exit', () => closeDatabase(db));
const account = createConfiguredAccounts(createSqliteStore(db), readAccountConfigOrExit(process.env));
const mails: unknown[] = [];
const sendMail = (mail: unknown) => void mails.push(mail);
const recovery = createRecovery(account, { sendMail, link: 'https://app.example.com' });
${FACTOR_ROUTES}
let calls = 0;
const app = new Hono();
app.get('/health', (c) => c.body(null));
app.get('/private', account.requireAuth, (c) => {
  return c.json({ user: c.get('user' as never), local: currentUser(c), calls: ++calls });
});
app.get('/mails', async (c) => {
  await recovery.settled();
  return c.json(mails as object[]);
});
app.get('/verified', recovery.requireVerified, (c) => c.json({ user: currentUser(c) }));
app.use('/auth/*', account.context('/auth'));
app.use('/v2/accounts/*', account.context('/v2/accounts'));
app.use('/parsed/*', async (c, next) => {
  await c.req.json().catch(() => undefined);
  await next();
});
app.use('/parsed/*', account.context('/parsed'));
const port = Number(process.env['PORT']);
const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
process.once('SIGTERM', () => server.close());
`;
