// The routes of account in Express 5, with and without a body parser in front of them. The long test has all packages.

import { once } from 'node:events';
import express from 'express';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  accountModule,
  answerBodyErrors,
  createPasswords,
  currentUser,
  requireAuth,
} from '../../builds/stackyard/account/index.ts';
import { closeDatabase, database } from '../../builds/stackyard/sqlite/index.ts';
import { findDifferences } from './account-suite.ts';

const SECRET = 'a secret that the test knows, of enough bytes';

afterEach(() => {
  accountModule.stop();
  closeDatabase(database());
});

test.each([
  ['without a parser', false],
  ['behind express.json()', true],
])('every request is answered as specified, %s', async (_, hasStrictParser) => {
  process.env['JWT_SECRET'] = SECRET;
  accountModule.configure({ passwords: createPasswords({ cost: { ln: 4, r: 1, p: 1 } }) });
  const app = express();
  if (hasStrictParser) app.use(express.json());
  app.use('/auth', accountModule.node, answerBodyErrors);
  app.get('/private', requireAuth, (req, res) => void res.json(currentUser(req)));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const host = {
    base: `${url}/auth`,
    secret: SECRET,
    privateUrl: `${url}/private`,
    hasStrictParser,
  };
  const { requests, differences } = await findDifferences(host);
  server.closeAllConnections();
  server.close();
  expect(differences).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(150);
});
