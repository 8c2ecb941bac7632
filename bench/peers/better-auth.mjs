// better-auth in Express 5 with its SQLite adapter, e-mail and password, session cookies (its default), no rate limit.

import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import Sqlite from 'better-sqlite3';
import express from 'express';
import { hash, verify } from './scrypt-cost.mjs';

const port = Number(process.env.PORT);
const db = new Sqlite(process.env.DATABASE_FILE);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
const options = {
  baseURL: `http://127.0.0.1:${port}`,
  secret: process.env.JWT_SECRET,
  database: db,
  emailAndPassword: {
    enabled: true,
    password: { hash, verify: ({ hash: stored, password }) => verify(password, stored) },
  },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
};
const { runMigrations } = await getMigrations(options);
await runMigrations();
const app = express();
app.disable('x-powered-by');
app.all('/api/auth/*rest', toNodeHandler(betterAuth(options)));
app.listen(port, '127.0.0.1');
