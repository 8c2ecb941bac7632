// Bare Express 5: register and login hash without a limit; /me is one HMAC and one prepared select.

import { createHmac, timingSafeEqual } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import express from 'express';
import { hash, verify } from './scrypt-cost.mjs';

const SECRET = process.env.JWT_SECRET;
const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
const TTL_SECONDS = 604_800;

const db = new Sqlite(process.env.DATABASE_FILE);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(
  'CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT UNIQUE, hash TEXT, created_at TEXT)',
);
const insert = db.prepare(
  'INSERT INTO users (email, hash, created_at) VALUES (?, ?, ?) RETURNING id, email, created_at',
);
const byEmail = db.prepare('SELECT id, email, created_at, hash FROM users WHERE email = ?');
const byId = db.prepare('SELECT id, email, created_at FROM users WHERE id = ?');

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.post('/register', express.json(), async (req, res) => {
  const { email, password } = req.body;
  const user = insert.get(email, await hash(password), new Date().toISOString());
  res.status(201).json({ user, token: sign(user.id) });
});
app.post('/login', express.json(), async (req, res) => {
  const { email, password } = req.body;
  const { hash: stored, ...user } = byEmail.get(email);
  if (await verify(password, stored)) res.json({ user, token: sign(user.id) });
  else res.status(401).json({ error: 'invalid credentials' });
});
app.get('/me', (req, res) => {
  const claims = check(req.headers.authorization?.slice('Bearer '.length) ?? '');
  const user = claims && byId.get(claims.sub);
  if (user) res.json({ user });
  else res.status(401).json({ error: 'invalid token' });
});
app.listen(Number(process.env.PORT), '127.0.0.1');

function sign(sub) {
  const exp = Math.floor(Date.now() / 1000) + TTL_SECONDS;
  const body = `${HEADER}.${Buffer.from(JSON.stringify({ sub, exp })).toString('base64url')}`;
  return `${body}.${mac(body).toString('base64url')}`;
}

function check(token) {
  const end = token.lastIndexOf('.');
  const body = token.slice(0, end);
  const given = Buffer.from(token.slice(end + 1), 'base64url');
  const wanted = mac(body);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  const claims = JSON.parse(Buffer.from(body.slice(body.indexOf('.') + 1), 'base64url').toString());
  return claims.exp > Date.now() / 1000 ? claims : undefined;
}

function mac(text) {
  return createHmac('sha256', SECRET).update(text).digest();
}
